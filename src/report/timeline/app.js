/* Zoom in time, depth, search and what is pointed at, for a timeline; the picture stands without it. */
(function () {
  "use strict";
  var SVG = "http://www.w3.org/2000/svg", root = document.documentElement, $ = function (id) { return document.getElementById(id); };
  var data = JSON.parse($("data").textContent), rows = $("rows"), span = data.to - data.from, letter = 7.1, top = +rows.getAttribute("y");
  var height = data.pitch * data.rows, layers = Array.prototype.slice.call(rows.querySelectorAll(".layer"));
  var seen = layers.findIndex(function (g) { return g.classList.contains("seen"); }), from = 0, to = data.columns, past = [];
  var right = data.left + data.plot, base = +document.querySelector("#legend rect").getAttribute("y");
  var picked = {}, words = "", typing = false, at = null;

  function make(name, attributes, parent, text) {
    var e = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (k) { e.setAttribute(k, attributes[k]); });
    if (text !== undefined) e.textContent = text;
    if (parent) parent.appendChild(e);
    return e;
  }
  function clear(e) { while (e.firstChild) e.removeChild(e.firstChild); }
  function cut(text, pixels) {
    var fits = Math.floor(pixels / letter);
    return fits < 3 ? "" : text.length <= fits ? text : text.slice(0, fits - 1) + "\u2026";
  }

  /* without its namespaces, where all of it does not fit */
  function brief(text, pixels) {
    return text.length <= Math.floor(pixels / letter) ? text : text.slice(/^(?:[^<({[ ]*(?:::|\\)(?=..))?/.exec(text)[0].length);
  }

  /* ---- numbers ---- */
  var units = data.unit === "ns" ? [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]] : [[data.unit, 1]];
  function human(v) {
    var unit = units.find(function (u) { return v >= u[1] * 0.9995; }) || units[units.length - 1], n = v / unit[1];
    return (n >= 1000 || n === Math.floor(n) ? String(Math.round(n)) : n.toPrecision(3)) + " " + unit[0];
  }
  /* a moment, to the digits that tell it from the next column */
  function moment(v, step) {
    var unit = units.find(function (u) { return v >= u[1]; }) || units[units.length - 1];
    var digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / unit[1]))));
    return (v / unit[1]).toFixed(digits) + " " + unit[0];
  }
  function percent(v) {
    var text = (100 * v / data.time).toFixed(2);
    return !data.time ? "-" : v > 0 && text === "0.00" ? "<0.01%" : text + "%";
  }
  function time(column) { return data.from + span * column / data.columns; }

  /* ---- what is where ---- */
  function runs(layer) {
    if (layer.runs) return layer.runs;
    layer.runs = [];
    for (var i = 0; i < data.rows; i++) layer.runs.push([]);
    Array.prototype.forEach.call(layer.querySelectorAll("path"), function (path) {
      var f = +path.parentNode.dataset.f, c = +path.dataset.c, q = +path.getAttribute("class").slice(1), find = /M(\d+) ([\d.]+)h(\d+)/g, m;
      var calls = (path.dataset.n || "").split(","), i = 0;
      while ((m = find.exec(path.getAttribute("d")))) layer.runs[Math.floor(m[2] / data.pitch)].push({ from: +m[1], to: +m[1] + +m[3], f: f, c: c, q: q, n: +calls[i++] || 1 });
    });
    layer.runs.forEach(function (row) { row.sort(function (a, b) { return a.from - b.from; }); });
    return layer.runs;
  }
  function runAt(row, column) {
    var list = runs(layers[seen])[row] || [], low = 0, high = list.length;
    while (low < high) { var middle = (low + high) >> 1; if (list[middle].from <= column) low = middle + 1; else high = middle; }
    return low && list[low - 1].to > column ? list[low - 1] : null;
  }
  function user(e) {
    var point = root.createSVGPoint();
    point.x = e.clientX; point.y = e.clientY;
    return point.matrixTransform(root.getScreenCTM().inverse());
  }
  function place(e) {
    var p = user(e), x = (p.x - data.left) / data.plot;
    return { x: x, column: from + (to - from) * x, row: Math.floor((p.y - top) / data.pitch) };
  }
  function label(row) {
    var first = data.labels[row * data.linesEach], more = Math.min(data.linesEach, data.labels.length - row * data.linesEach) - 1;
    return more > 0 ? first + " and " + more + " more" : first;
  }
  function stack(c) {
    var list = [];
    for (; c >= 0; c = data.contexts[c][0] - 1) list.unshift(data.functions[data.contexts[c][1]][0]);
    return list;
  }

  /* ---- the view ---- */
  function names() {
    var g = $("names"), shown = 0;
    clear(g);
    if (data.bar < 12) return;
    runs(layers[seen]).forEach(function (list, row) {
      list.forEach(function (r) {
        var a = Math.max(r.from, from), b = Math.min(r.to, to), wide = (b - a) / (to - from) * data.plot;
        if (wide < 40 || r.q < 3 || shown > 3000) return;
        shown++;
        make("text", { x: data.left + (a - from) / (to - from) * data.plot + 4, y: top + row * data.pitch + data.bar / 2 + 4, "data-f": r.f, class: picked[r.f] ? "on" : "" }, g,
          cut(brief(data.functions[r.f][0], wide - 8), wide - 8));
      });
    });
  }
  function axis() {
    var g = $("axis"), low = time(from), high = time(to), unit = units.find(function (u) { return high >= u[1]; }) || units[units.length - 1];
    var step = Math.pow(10, Math.floor(Math.log10((high - low) || 1))), most = data.plot / 90;
    [0.1, 0.2, 0.5, 1, 2, 5].some(function (k) { if ((high - low) / (step * k) <= most) { step *= k; return true; } return false; });
    if (data.unit !== "ns" || unit[1] === 1) step = Math.max(1, step);
    var digits = Math.max(0, Math.round(-Math.log10(step / unit[1]) + 0.4));
    clear(g);
    if (!(high > low)) return;
    for (var n = Math.ceil(low / step - 1e-9); n * step <= high * (1 + 1e-12); n++) {
      var x = data.left + (n * step - low) / (high - low) * data.plot;
      make("path", { class: "tick", d: "M" + x.toFixed(1) + " " + (top - 4) + "V" + (top + height + 6) }, g);
      make("text", { x: x.toFixed(1), y: top + height + 20, "text-anchor": x > data.left + data.plot - 30 ? "end" : "middle" }, g, n === 0 ? "0" : (n * step / unit[1]).toFixed(digits) + " " + unit[0]);
    }
  }
  function show(a, b) {
    var least = Math.min(data.columns, 4);
    if (b - a < least) { var middle = (a + b) / 2; a = middle - least / 2; b = middle + least / 2; }
    if (a < 0) { b -= a; a = 0; }
    if (b > data.columns) { a -= b - data.columns; b = data.columns; }
    from = Math.max(0, a); to = b;
    rows.setAttribute("viewBox", from + " 0 " + (to - from) + " " + height);
    root.classList.toggle("zoomed", to - from < data.columns - 1e-9);
    axis(); names(); buttons();
  }
  function zoom(a, b) { past.push([from, to]); show(a, b); }
  function back() { var p = past.pop(); if (p) show(p[0], p[1]); else show(0, data.columns); }

  /* ---- depth and legend ---- */
  function entry(i, f, color, share, name, more) {
    var columns = Math.max(1, Math.floor((right + 12) / 380)), wide = (right - 12) / columns, x = 12 + Math.floor(i % columns * wide), y = base + Math.floor(i / columns) * 20;
    var g = make("g", { class: "entry", "data-f": f, role: "button", tabindex: 0 }, $("legend"));
    make("title", {}, g, name + more);
    make("rect", { class: color, x: x, y: y, width: 14, height: 12, rx: 2 }, g);
    make("text", { class: "figure", x: x + 72, y: y + 11, "text-anchor": "end" }, g, percent(share));
    make("text", { x: x + 80, y: y + 11 }, g, cut(name, wide - 96));
  }
  function legend() {
    var list = data.layers[seen].shares;
    clear($("legend"));
    list.forEach(function (s, i) {
      var f = data.functions[s[0]];
      entry(i, s[0], "c" + f[1], s[1], f[0], (f[2] ? "\n" + f[2] : "") + "\n" + human(s[1]) + " on " + s[2] + (s[2] === 1 ? " stream" : " streams"));
    });
    entry(list.length, -1, "idle", data.idle, "idle", ": " + human(data.idle));
    mark();
  }
  function deeper(by) {
    var next = seen + by;
    if (next < 0 || next >= layers.length) return;
    layers[seen].classList.remove("seen");
    seen = next;
    layers[seen].classList.add("seen");
    legend(); names(); buttons(); tip(null);
  }
  function mark() {
    var any = Object.keys(picked).length > 0;
    root.classList.toggle("picked", any);
    Array.prototype.forEach.call(rows.querySelectorAll(".layer > g"), function (g) { g.classList.toggle("on", !!picked[g.dataset.f]); });
    Array.prototype.forEach.call(document.querySelectorAll("#legend .entry"), function (g) {
      g.classList.toggle("on", any && !!picked[g.dataset.f]);
      g.classList.toggle("off", any && !picked[g.dataset.f]);
    });
    Array.prototype.forEach.call(document.querySelectorAll("#names text"), function (t) { t.classList.toggle("on", !!picked[t.dataset.f]); });
  }

  /* ---- search ---- */
  function find() {
    var matcher = null, sum = 0, count = 0;
    picked = {};
    try { matcher = words ? new RegExp(words, "i") : null; } catch (e) { $("found").textContent = "not a pattern"; return; }
    data.functions.forEach(function (f, i) { if (matcher && matcher.test(f[0])) picked[i] = true; });
    if (matcher && !Object.keys(picked).length) picked[-2] = true;
    data.layers[seen].shares.forEach(function (s) { if (picked[s[0]]) { sum += s[1]; count++; } });
    $("found").textContent = (typing || words ? "search: " + words + (typing ? "_" : "") : "") + (matcher ? "   " + count + (count === 1 ? " function here, " : " functions here, ") + percent(sum) : "");
    mark();
  }

  /* ---- buttons ---- */
  function button(id, x, text, name, run) {
    var b = make("text", { class: "button", id: id, x: x, y: 24, role: "button", tabindex: 0, "aria-label": name, "text-anchor": "end" }, $("controls"), text);
    b.addEventListener("click", run);
    b.addEventListener("keydown", function (e) { if (e.key === "Enter" || e.key === " ") { run(); e.preventDefault(); e.stopPropagation(); } });
    return b;
  }
  button("search", right, "search ( / )", "search", function () { typing = true; find(); });
  button("less", right - 98, "\u2212", "less deep", function () { deeper(-1); });
  button("more", right - 78, "+", "deeper", function () { deeper(1); });
  $("depth").setAttribute("x", right - 114);
  button("reset", right - 230, "show all", "show all of the time", function () { past = []; show(0, data.columns); });
  function buttons() {
    var depth = data.layers[seen].depth;
    $("depth").textContent = $("depth").textContent.replace(/^depth \d+/, "depth " + depth);
    $("less").style.visibility = seen > 0 ? "" : "hidden";
    $("more").style.visibility = seen + 1 < layers.length ? "" : "hidden";
    $("reset").style.visibility = root.classList.contains("zoomed") ? "" : "hidden";
  }

  /* ---- what is pointed at ---- */
  function tip(e, p) {
    var g = $("tip"), r = p && runAt(p.row, p.column), step = span / data.columns;
    clear(g);
    $("said").textContent = "";
    if (!p || p.row < 0 || p.row >= data.rows || !label(p.row)) return;
    var lines = [[r ? data.functions[r.f][0] : "idle, or nothing recorded", "first"], [label(p.row) + ", at " + moment(time(p.column), step), ""]];
    if (r) {
      lines.push([moment(time(r.from), step) + " to " + moment(time(r.to), step) + " (" + human(time(r.to) - time(r.from)) + ")" + (r.q < 4 ? ", busy for at most " + 25 * r.q + "%" : ""), ""]);
      if (r.n > 1) lines.push([r.n + " calls, drawn as one", ""]);
      if (data.functions[r.f][2]) lines.push([data.functions[r.f][2], "path"]);
      var frames = stack(r.c), left = frames.length > 12 ? frames.length - 11 : 0;
      frames.forEach(function (f, i) {
        if (left && i === 1) lines.push(["\u2026 " + left + " more", "path"]);
        if (!left || i === 0 || i > left) lines.push([(i ? "\u21b3 " : "") + f, "path"]);
      });
    }
    var most = Math.min(460, right - 24), wide = Math.min(most, 16 + letter * Math.max.apply(null, lines.map(function (l) { return l[0].length; }))), tall = 10 + 16 * lines.length;
    var point = user(e), x = point.x + 16 + wide > right ? point.x - 16 - wide : point.x + 16, y = Math.max(2, Math.min(point.y + 14, root.viewBox.baseVal.height - tall - 2));
    make("rect", { x: Math.max(2, x), y: y, width: wide, height: tall, rx: 4 }, g);
    lines.forEach(function (l, i) { make("text", { x: Math.max(2, x) + 8, y: y + 17 + 16 * i, class: l[1] }, g, cut(l[0], wide - 12)); });
    make("path", { id: "hair", d: "M" + (data.left + p.x * data.plot) + " " + top + "v" + height }, g);
    $("said").textContent = lines.slice(0, 3).map(function (l) { return l[0]; }).join(" \u2014 ");
  }
  var drag = null, band = null;
  rows.addEventListener("mousedown", function (e) { if (e.button === 0) { drag = place(e); drag.clientX = e.clientX; e.preventDefault(); root.focus(); } });
  addEventListener("mousemove", function (e) {
    if (drag) {
      var p = place(e), a = Math.max(0, Math.min(drag.x, p.x)), b = Math.min(1, Math.max(drag.x, p.x));
      if (!band) band = make("rect", { id: "band", y: top, height: height }, root);
      band.setAttribute("x", data.left + a * data.plot);
      band.setAttribute("width", (b - a) * data.plot);
    } else if (rows.contains(e.target) || e.target === rows) {
      at = place(e);
      tip(e, at);
    } else if (at) { at = null; tip(null); }
  });
  addEventListener("mouseup", function (e) {
    if (!drag) return;
    var p = place(e), begin = drag;
    drag = null;
    if (band) { band.remove(); band = null; }
    if (Math.abs(e.clientX - begin.clientX) > 4) { zoom(Math.max(from, Math.min(begin.column, p.column)), Math.min(to, Math.max(begin.column, p.column))); tip(null); return; }
    var r = runAt(p.row, p.column);
    if (r && (r.from > from || r.to < to)) zoom(r.from - (r.to - r.from) * 0.1, r.to + (r.to - r.from) * 0.1);
  });
  rows.addEventListener("wheel", function (e) {
    if (!e.ctrlKey && !e.shiftKey) return;
    var p = place(e), by = e.deltaY > 0 ? 1.25 : 0.8;
    show(p.column - (p.column - from) * by, p.column + (to - p.column) * by);
    e.preventDefault();
  }, { passive: false });
  $("legend").addEventListener("click", function (e) {
    var g = e.target.closest(".entry"), f = g && g.dataset.f;
    if (!g || f === "-1") return;
    var was = picked[f] && Object.keys(picked).length === 1;
    picked = {};
    if (!was) picked[f] = true;
    words = ""; typing = false;
    $("found").textContent = was ? "" : data.functions[f][0].slice(0, 60);
    mark();
  });
  addEventListener("keydown", function (e) {
    var wide = to - from;
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (typing) {
      if (e.key === "Enter") typing = false;
      else if (e.key === "Escape") { typing = false; words = ""; }
      else if (e.key === "Backspace") words = words.slice(0, -1);
      else if (e.key.length === 1) words += e.key;
      else return;
      find();
    } else if (e.key === "/") { typing = true; words = ""; find(); }
    else if (e.key === "Escape") { if (Object.keys(picked).length) { words = ""; find(); } else back(); }
    else if (e.key === "0") { past = []; show(0, data.columns); }
    else if (e.key === "+" || e.key === "=" || e.key === "ArrowDown") deeper(1);
    else if (e.key === "-" || e.key === "ArrowUp") deeper(-1);
    else if (e.key === "w") show(from + wide * 0.15, to - wide * 0.15);
    else if (e.key === "s") show(from - wide * 0.2, to + wide * 0.2);
    else if (e.key === "a" || e.key === "ArrowLeft") show(from - wide * 0.2, to - wide * 0.2);
    else if (e.key === "d" || e.key === "ArrowRight") show(from + wide * 0.2, to + wide * 0.2);
    else if ((e.key === "Enter" || e.key === " ") && document.activeElement && document.activeElement.classList.contains("entry")) document.activeElement.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else return;
    e.preventDefault();
  });
  Array.prototype.forEach.call(rows.querySelectorAll("title"), function (t) { t.remove(); });
  legend(); axis(); names(); buttons();
})();
