// Filter and sort of tables, for the reader who has scripts; without, the tables are plain. Markup:
//   <div class="controls" hidden data-for="ID">  input, select and checkbox with data-filter: "text", or the name of a
//                                                data attribute of the rows; an output
//   <table id="ID" data-sort>                    cells with data-key sort by it (a number if they all are), else by text
(function () {
  "use strict";

  function keyOf(row, column) {
    var cell = row.cells[column];
    return cell.hasAttribute("data-key") ? cell.getAttribute("data-key") : cell.textContent.trim().toLowerCase();
  }

  function compare(x, y) {
    var a = Number(x.key), b = Number(y.key);
    if (x.key !== "" && y.key !== "" && !isNaN(a) && !isNaN(b)) return a - b;
    return x.key < y.key ? -1 : x.key > y.key ? 1 : 0;
  }

  function sortable(table) {
    var heads = Array.from(table.tHead.rows[0].cells), body = table.tBodies[0];
    heads.forEach(function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.append.apply(button, Array.from(head.childNodes));
      head.append(button);
      button.addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") === "ascending" ||
          !head.hasAttribute("aria-sort") && head.hasAttribute("data-down");
        heads.forEach(function (h) { h.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        Array.from(body.rows)
          .map(function (row, i) { return { row: row, key: keyOf(row, column), i: i }; })
          .sort(function (x, y) { return (down ? compare(y, x) : compare(x, y)) || x.i - y.i; })
          .forEach(function (x) { body.append(x.row); });
      });
    });
  }

  function filterable(controls) {
    var table = document.getElementById(controls.getAttribute("data-for"));
    if (!table) return;
    var fields = Array.from(controls.querySelectorAll("[data-filter]"));
    var output = controls.querySelector("output");
    var rows = Array.from(table.tBodies[0].rows);
    function apply() {
      var shown = 0;
      rows.forEach(function (row) {
        var keep = fields.every(function (f) {
          var by = f.getAttribute("data-filter");
          if (f.type === "checkbox") return !f.checked || row.getAttribute("data-" + by) === f.value;
          if (f.value === "") return true;
          if (by === "text") return row.textContent.toLowerCase().indexOf(f.value.toLowerCase()) >= 0;
          return row.getAttribute("data-" + by) === f.value;
        });
        row.hidden = !keep;
        if (keep) shown++;
      });
      output.textContent = shown + " of " + rows.length + " shown";
    }
    fields.forEach(function (f) { f.addEventListener("input", apply); });
    controls.hidden = false;
    apply();
  }

  // A link to a part that is closed opens it.
  function reveal() {
    var at = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    for (var e = at; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    if (at) at.scrollIntoView();
  }

  document.querySelectorAll("table[data-sort]").forEach(sortable);
  document.querySelectorAll(".controls[data-for]").forEach(filterable);
  document.querySelectorAll(".controls[data-open]").forEach(function (c) {
    c.hidden = false;
    c.querySelectorAll("button").forEach(function (b) {
      b.addEventListener("click", function () {
        document.querySelectorAll("details.part").forEach(function (d) { d.open = b.value === "open"; });
      });
    });
  });
  window.addEventListener("hashchange", reveal);
  reveal();
})();
