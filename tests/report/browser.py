"""A headless Chromium, and what the checks of pages ask it."""
import json
import re
import subprocess
import urllib.error
import urllib.request

VISIBLE = """
return Array.from(document.querySelectorAll("figure.plot"), (figure) => {
  const svg = figure.querySelector("svg"), box = svg ? svg.getBoundingClientRect() : {};
  const curves = svg ? Array.from(svg.querySelectorAll("path[stroke^='rgb']:not(.gridline)")) : [];
  return { label: figure.getAttribute("aria-label"), width: box.width || 0,
    height: box.height || 0, drawn: curves.filter((path) => {
      const size = path.getBBox(); return size.width > 0 || size.height > 0; }).length };
});"""

CONTRAST = """
function luminance(colour) {
  const part = colour.match(/[\\d.]+/g).slice(0, 3).map((x) => {
    x /= 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
}
const back = luminance(getComputedStyle(document.body).backgroundColor);
function ratio(colour) {
  const x = luminance(colour);
  return (Math.max(x, back) + 0.05) / (Math.min(x, back) + 0.05);
}
function least(selector, property) {
  return Math.min(...Array.from(document.querySelectorAll(selector),
    (one) => ratio(getComputedStyle(one)[property])));
}
return { back: back, page: least("p, td, th, h1, h2, a, dd, summary", "color"),
  text: least("figure.plot text", "fill"),
  curves: least("figure.plot path[stroke^='rgb']:not(.gridline)", "stroke"),
  marks: least("figure.plot use[color^='rgb']", "color") };"""


class Browser:
    """The little of the WebDriver protocol that is needed."""

    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                self.base = f"http://127.0.0.1:{found[1]}/session"
                break
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars", "--window-size=1300,1400"]
        options = {"args": arguments}
        made = self.post("", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.base += "/" + made["sessionId"]

    def post(self, path, body):
        request = urllib.request.Request(self.base + path, json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from error

    def run(self, script, *arguments):
        return self.post("/execute/sync", {"script": script, "args": arguments})

    def cdp(self, command, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def log(self, kind):
        return self.post("/se/log", {"type": kind})

    def close(self):
        try:
            urllib.request.urlopen(urllib.request.Request(self.base, method="DELETE"), timeout=30)
        finally:
            self.driver.terminate()
            self.driver.wait()
