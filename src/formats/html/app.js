/* The pages stand without this script. It sorts, filters, folds, takes keys, remembers the theme, and shows the parts of a single-file site. */
(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("js");

  function el(tag, props, text) {
    var e = document.createElement(tag);
    for (var k in props) if (k.indexOf("aria-") === 0) e.setAttribute(k, props[k]); else e[k] = props[k];
    if (text !== undefined) e.textContent = text;
    return e;
  }

  // ---- theme ----
  function stored(value) {
    try {
      if (value === undefined) return localStorage.getItem("assay-theme");
      localStorage.setItem("assay-theme", value);
    } catch (e) { /* a page from a file may have no storage */ }
    return null;
  }
  function isDark() {
    var set = root.dataset.theme;
    return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }
  function swapTheme() {
    root.dataset.theme = isDark() ? "light" : "dark";
    stored(root.dataset.theme);
  }
  var theme = stored();
  if (theme === "dark" || theme === "light") root.dataset.theme = theme;

  // ---- help ----
  var keys = [["/", "go to the filter"], ["j k", "next, previous row"], ["Enter", "open the row"], ["n p", "next, previous uncovered line"],
    ["1 2 3 4", "show or hide: hit, partial, missed, other lines"], ["u", "back to all files"], ["t", "light or dark"], ["?", "this list"]];
  function help() {
    var d = document.querySelector("dialog");
    if (!d) {
      d = el("dialog", {});
      var t = el("table", {});
      keys.forEach(function (k) {
        var r = t.insertRow(), c = r.insertCell();
        k[0].split(" ").forEach(function (x) { c.append(el("kbd", {}, x), " "); });
        r.insertCell().textContent = k[1];
      });
      var f = el("form", { method: "dialog" });
      f.append(el("button", {}, "close"));
      d.append(t, f);
      document.body.append(d);
    }
    if (d.open) d.close(); else d.showModal();
  }
  function commonTools(tools) {
    var t = el("button", { type: "button", title: "light or dark (t)" }, "theme"), h = el("button", { type: "button", title: "keys (?)" }, "keys");
    t.onclick = swapTheme;
    h.onclick = help;
    tools.append(el("span", { className: "gap" }), t, h);
  }
  function toggle(text, pressed, change) {
    var b = el("button", { type: "button", "aria-pressed": pressed }, text);
    b.onclick = function () {
      var now = b.getAttribute("aria-pressed") !== "true";
      b.setAttribute("aria-pressed", now);
      change(now);
    };
    return b;
  }
  function figure(row, cell) {
    var c = row.cells[cell], v = c ? c.dataset.v : undefined;
    return v === undefined ? NaN : parseFloat(v);
  }

  // ---- the overview ----
  function overview(table) {
    var body = table.tBodies[0], rows = Array.prototype.slice.call(body.rows), items = [], stack = [];
    rows.forEach(function (row, i) {
      var depth = +row.dataset.d;
      stack.length = depth;
      var item = { row: row, at: i, isDir: row.classList.contains("dir"), up: stack[depth - 1] || null, kids: [], shut: false, matches: true,
        name: row.cells[0].textContent.trim(), path: row.cells[0].firstElementChild.title, share: figure(row, 2) };
      if (item.up) item.up.kids.push(item);
      stack[depth] = item;
      items.push(item);
    });
    var tops = items.filter(function (x) { return !x.up; });
    var state = { text: "", under: Infinity, flat: false, key: null, down: false };
    var files = items.filter(function (x) { return !x.isDir; });
    if (files.length > 400) items.forEach(function (x) { if (x.isDir && x.up) x.shut = true; });

    function compare(a, b) {
      var d;
      if (state.key === null) return a.at - b.at;
      if (state.key === "name") { var p = state.flat ? a.path : a.name, q = state.flat ? b.path : b.name; d = p < q ? -1 : p > q ? 1 : 0; }
      else d = figure(a.row, +state.key) - figure(b.row, +state.key);
      return (state.down ? -d : d) || a.at - b.at;
    }
    function isFiltering() { return state.text !== "" || state.under !== Infinity; }
    function ordered() {
      if (state.flat) return files.slice().sort(compare);
      var out = [], todo = tops.slice().sort(compare).reverse();
      while (todo.length) {
        var x = todo.pop();
        out.push(x);
        if (x.kids.length) todo.push.apply(todo, x.kids.slice().sort(compare).reverse());
      }
      return out;
    }
    function draw() {
      var words = state.text.toLowerCase().split(/\s+/).filter(Boolean), shown = 0;
      items.forEach(function (x) { x.matches = false; });
      files.forEach(function (x) {
        var path = x.path.toLowerCase();
        x.matches = words.every(function (w) { return path.indexOf(w) >= 0; }) && (state.under === Infinity || (x.share >= 0 && (state.under === 0 ? x.share === 0 : x.share < state.under)));
        if (x.matches) { shown++; for (var u = x.up; u && !u.matches; u = u.up) u.matches = true; }
      });
      var part = document.createDocumentFragment();
      ordered().forEach(function (x) { part.append(x.row); });
      if (state.flat) items.forEach(function (x) { if (x.isDir) { part.append(x.row); } });
      body.append(part);
      items.forEach(function (x) {
        var hidden = !x.matches || (state.flat && x.isDir);
        for (var u = x.up; u && !hidden && !state.flat && !isFiltering(); u = u.up) hidden = u.shut;
        x.row.hidden = hidden;
        x.row.classList.toggle("shut", x.shut && !isFiltering());
        if (!x.isDir) x.row.cells[0].firstElementChild.textContent = state.flat ? x.path : x.name;
      });
      table.classList.toggle("flat", state.flat);
      count.value = isFiltering() ? shown + " of " + files.length + " files" : "";
    }

    var tools = document.querySelector("#overview .tools"), count = el("output", {});
    var search = el("input", { type: "search", placeholder: "filter files", "aria-label": "filter files" });
    search.oninput = function () { state.text = search.value; draw(); };
    tools.append(search);
    [["all", Infinity], ["< 100 %", 100], ["< 80 %", 80], ["< 50 %", 50], ["0 %", 0]].forEach(function (c, i) {
      var b = el("button", { type: "button", "aria-pressed": i === 0 }, c[0]);
      b.onclick = function () {
        tools.querySelectorAll("[data-under]").forEach(function (x) { x.setAttribute("aria-pressed", x === b); });
        state.under = c[1];
        draw();
      };
      b.dataset.under = c[1];
      tools.append(b);
    });
    tools.append(toggle("flat", false, function (on) { state.flat = on; draw(); }), count);
    commonTools(tools);
    table.querySelectorAll("th[data-key]").forEach(function (th) {
      th.tabIndex = 0;
      th.onclick = function () {
        if (state.key === th.dataset.key) state.down = !state.down; else { state.key = th.dataset.key; state.down = false; }
        table.querySelectorAll("th").forEach(function (x) { x.removeAttribute("aria-sort"); });
        th.setAttribute("aria-sort", state.down ? "descending" : "ascending");
        draw();
      };
      th.onkeydown = function (e) { if (e.key === "Enter") th.onclick(); };
    });
    body.onclick = function (e) {
      var row = e.target.closest("tr.dir");
      if (!row) return;
      items.forEach(function (x) { if (x.row === row) x.shut = !x.shut; });
      draw();
    };
    draw();
    return { search: search, rows: function () { return Array.prototype.filter.call(body.rows, function (r) { return !r.hidden; }); } };
  }

  // ---- one file ----
  function source(page) {
    var table = page.querySelector("#source"), tools = page.querySelector(".tools"), blocks = [], before = null;
    Array.prototype.forEach.call(table.rows, function (r) {
      var bad = r.classList.contains("m") || r.classList.contains("p");
      if (bad && !before) blocks.push(r);
      before = bad;
    });
    var kinds = [["h", "hit"], ["p", "partial"], ["m", "missed"], ["x", "other lines"]], buttons = kinds.map(function (k) {
      var b = toggle(k[1], true, function (on) { table.classList.toggle("no-" + k[0], !on); });
      tools.append(b);
      return b;
    });
    var spot = -1, where = el("output", {});
    function jump(by) {
      if (!blocks.length) return;
      spot = (spot + by + blocks.length + (spot < 0 && by < 0 ? 1 : 0)) % blocks.length;
      table.querySelectorAll("tr.at").forEach(function (r) { r.classList.remove("at"); });
      blocks[spot].classList.add("at");
      blocks[spot].scrollIntoView({ block: "center" });
      where.value = spot + 1 + " of " + blocks.length;
    }
    var next = el("button", { type: "button", title: "next place that is not covered (n)" }, "next miss");
    next.onclick = function () { jump(1); };
    if (blocks.length) tools.append(next, where);
    commonTools(tools);
    table.onclick = function (e) {
      var cell = e.target.closest("td");
      if (cell && cell.cellIndex === 0 && !single) location.hash = cell.parentNode.id;
    };
    sortable(page.querySelector("#functions"));
    return { jump: jump, toggles: buttons };
  }
  function sortable(table) {
    if (!table) return;
    table.querySelectorAll("th").forEach(function (th, cell) {
      var down = false;
      th.onclick = function () {
        var rows = Array.prototype.slice.call(table.tBodies[0].rows);
        rows.sort(function (a, b) {
          var x = a.cells[cell], y = b.cells[cell], d = cell === 0 ? (x.textContent < y.textContent ? -1 : 1) : +(x.dataset.v || x.textContent) - +(y.dataset.v || y.textContent);
          return down ? -d : d;
        });
        down = !down;
        table.querySelectorAll("th").forEach(function (x) { x.removeAttribute("aria-sort"); });
        th.setAttribute("aria-sort", down ? "ascending" : "descending");
        rows.forEach(function (r) { table.tBodies[0].append(r); });
      };
    });
  }

  // ---- which one is open ----
  var list = null, file = null, tree = document.getElementById("tree"), page = document.getElementById("page"), top = document.getElementById("overview");
  var single = !!(tree && page), place = 0;
  if (tree) list = overview(tree);
  if (page && !single) file = source(page);
  function route() {
    var part = document.getElementById(location.hash.slice(1));
    if (part && part.type !== "text/html") return;
    if (part && !top.hidden) place = scrollY;
    file = null;
    page.hidden = !part;
    top.hidden = !!part;
    if (!part) { page.textContent = ""; document.title = "Coverage"; scrollTo(0, place); return; }
    page.innerHTML = part.textContent;
    page.querySelectorAll("a[href^='#L']").forEach(function (a) {
      a.onclick = function (e) { e.preventDefault(); document.getElementById(a.getAttribute("href").slice(1)).scrollIntoView({ block: "center" }); };
    });
    document.title = page.querySelector("h1").textContent;
    file = source(page);
    scrollTo(0, 0);
  }
  if (single) { addEventListener("hashchange", route); route(); }

  // ---- keys ----
  function step(by) {
    var rows = list.rows(), at = rows.findIndex(function (r) { return r.classList.contains("at"); });
    if (!rows.length) return;
    if (at >= 0) rows[at].classList.remove("at");
    at = Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + by));
    rows[at].classList.add("at");
    rows[at].scrollIntoView({ block: "nearest" });
  }
  function openRow() {
    var row = tree.querySelector("tr.at"), a = row && row.querySelector("a");
    if (a) a.click(); else if (row) row.cells[0].click();
  }
  addEventListener("keydown", function (e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)) { if (e.key === "Escape") e.target.blur(); return; }
    if (e.key === "t") return swapTheme();
    if (e.key === "?") return help();
    if (file) {
      if (e.key === "n" || e.key === "p") return file.jump(e.key === "n" ? 1 : -1);
      if (/^[1-4]$/.test(e.key)) return file.toggles[e.key - 1].click();
      if (e.key === "u") { if (single) location.hash = ""; else location.href = "../index.html"; }
      return;
    }
    if (!list) return;
    if (e.key === "/") { e.preventDefault(); list.search.focus(); }
    else if (e.key === "j" || e.key === "k") step(e.key === "j" ? 1 : -1);
    else if (e.key === "Enter" && e.target === document.body) openRow();
  });
})();
