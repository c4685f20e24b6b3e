"""The mutants of a line, of a file, and of folders: text in, text out."""
import random
import re

SWAPS = {
    "relation": {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
    "order": {"<": ">", "<=": ">=", ">": "<", ">=": "<="},
    "arithmetic": {"+": "-", "-": "+", "*": "/", "/": "*"},
    "assignment": {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|="},
    "logic": {"&&": "||", "||": "&&"},
}
WORDS = {"true": "false", "false": "true", "fmin": "fmax", "fmax": "fmin", "continue": "break",
         "++": "--", "--": "++"}
NUMBER = re.compile(r"(?<![\w.])(\d+\.?\d*(?:e[-+]?\d+)?)(?![\w.])")
STATEMENT = re.compile(r"(\s+)([\w*(][\w>.\[\]()*+ -]*?(?: [-+*/|&]?= .*|\(.*\)|\+\+|--));$")
DECLARATION = re.compile(r"\s+(const |static |struct |unsigned )|\s+\w+ \**\w+(\[.*\])?( =|,|;)")


def masked(text):
    """The text with comments, strings and characters as blanks."""
    blank = lambda found: re.sub(r"[^\n]", " ", found[0])
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


def closing(line, at):
    """Where the parenthesis that opens at `at` closes; -1: not on this line."""
    depth = 0
    for k in range(at, len(line)):
        depth += (line[k] == "(") - (line[k] == ")")
        if depth == 0:
            return k
    return -1


def other_numbers(text):
    if "." in text or "e" in text:
        return [repr(2 * float(text)), repr(0.1 * float(text))]
    n = int(text) if not text.startswith("0") else 0
    return [str(n + 1)] + ([str(n - 1)] if n > 0 else [])


def swaps(line):
    """(operator, first column, end, what stands there instead) of operators, words and numbers."""
    for name, table in SWAPS.items():
        for found in re.finditer(r"(?<= )(" + "|".join(map(re.escape, table)) + r")(?= |$)", line):
            yield name, found.start(), found.end(), table[found[1]]
    for word, other in WORDS.items():
        edge = r"\b" if word.isalpha() else ""
        for found in re.finditer(edge + re.escape(word) + edge, line):
            yield "word", found.start(), found.end(), other
    for found in re.finditer(r"!(?=[\w(])", line):
        yield "not", found.start(), found.end(), ""
    for found in NUMBER.finditer(line):
        for other in other_numbers(found[1]):
            yield "constant", found.start(), found.end(), other


def conditions(line):
    for found in re.finditer(r"\b(?:if|while) (\()", line):
        end = closing(line, found.start(1))
        if end > 0:
            yield "negate", found.start(1), end + 1, None
    found = re.search(r"\breturn ([^;]+);$", line)
    if found and found[1] not in ("0", "true", "false"):
        yield "return", found.start(1), found.end(1), "0"


def statements(line, before):
    found = STATEMENT.match(line)
    whole = before.rstrip().endswith((";", "{", "}", ")", ":", "else")) or not before.strip()
    if found and whole and not DECLARATION.match(line) and line.count("(") == line.count(")"):
        yield "leave out", found.start(2), len(line), ";"


def mutants_of(line, mask, before):
    """(operator, the changed line) of a line, its mask, and the mask of the line before it."""
    if mask.lstrip().startswith("#"):
        sites = [s for s in swaps(mask) if re.match(r"#define \w+ ", mask) and s[0] == "constant"]
    else:
        sites = [*swaps(mask), *conditions(mask), *statements(mask.rstrip(), before)]
    for name, start, end, other in sites:
        if other is None:
            other = f"(!{line[start:end]})"
        if name == "leave out":
            end = len(line.rstrip())
        yield name, line[:start] + other + line[end:]


def mutants_of_file(root, name):
    """[(line number, [(operator, line, changed line)])] of a file's lines that have any."""
    text = (root / name).read_text()
    lines, masks = text.split("\n"), masked(text).split("\n")
    found = []
    for k, line in enumerate(lines):
        several = list(dict.fromkeys((op, line, new) for op, new in
                                     mutants_of(line, masks[k], masks[k - 1] if k else "")))
        if several:
            found.append((k + 1, several))
    return found


def sources(root, given):
    names = []
    for name in given:
        path = root / name
        names += [str(p.relative_to(root)) for p in sorted(path.glob("*.c"))] if path.is_dir() else [name]
    return names


def sample(root, given, seed):
    """All mutants that may be asked for, one of each line, in the order of the seed."""
    chance = random.Random(seed)
    lines = [(name, number, several) for name in sources(root, given)
             for number, several in mutants_of_file(root, name)]
    chance.shuffle(lines)
    return [(name, number, *chance.choice(several)) for name, number, several in lines]
