"use strict";
(function () {
  // Numbers carry data-v; a cell without one, in a column of numbers, has no figure and goes last.
  function key(row, column) {
    const cell = row.cells[column];
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    return cell.classList.contains("num") ? NaN : cell.textContent;
  }
  function order(a, b) {
    if (typeof a === "string") return a.localeCompare(b, "en", { numeric: true });
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
    return a < b ? -1 : a > b ? 1 : 0;
  }
  function missing(value) {
    return typeof value !== "string" && Number.isNaN(value);
  }
  function sort(table, column, up) {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => ({ row, key: key(row, column) }));
    rows.sort((a, b) =>
      missing(a.key) || missing(b.key) || up ? order(a.key, b.key) : order(b.key, a.key));
    body.append(...rows.map((entry) => entry.row));
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        for (const other of heads) other.setAttribute("aria-sort", "none");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        sort(table, column, up);
      });
    });
  }

  const filter = document.getElementById("filter");
  const shown = document.getElementById("shown");
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = document.getElementById("rows").tBodies[0].rows;
    let count = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      count += !row.hidden;
    }
    shown.textContent = words.length ? count + " of " + rows.length : "";
  });

  const fold = document.getElementById("fold");
  const details = document.querySelectorAll("#histories details");
  if (fold) {
    fold.addEventListener("click", () => {
      const open = fold.textContent !== "Fold all";
      for (const one of details) one.open = open;
      fold.textContent = open ? "Fold all" : "Unfold all";
    });
  }
  window.addEventListener("beforeprint", () => {
    for (const one of document.querySelectorAll("section:not(#histories) details")) one.open = true;
  });
})();
