/* Zoom, search and keys for a flame graph; the picture stands without it. */
(function () {
  "use strict";
  var svg = document.documentElement, data = svg.dataset, edge = +data.edge, letter = +data.letter;
  var usable = svg.viewBox.baseVal.width - 2 * edge, boxes = Array.prototype.slice.call(document.querySelectorAll("#boxes g"));
  var said = document.getElementById("said"), found = document.getElementById("found"), search = document.getElementById("search");
  boxes.forEach(function (g) {
    g.x = +g.dataset.x; g.w = +g.dataset.w; g.depth = +g.dataset.d;
    g.full = g.querySelector("title").textContent;
    g.name = g.full.replace(/ \([^()]*\)$/, "");
  });
  var zoomed = boxes[0], at = null, words = "", typing = false;
  function label(text, pixels) {
    var fits = Math.floor((pixels - 6) / letter);
    return fits < 3 ? "" : text.length <= fits ? text : text.slice(0, fits - 1) + "\u2026";
  }
  function zoom(to) {
    zoomed = to;
    svg.classList.toggle("zoomed", to !== boxes[0]);
    boxes.forEach(function (g) {
      var above = g.depth < to.depth && g.x <= to.x + 1e-12 && g.x + g.w >= to.x + to.w - 1e-9;
      var inside = g.x >= to.x - 1e-9 && g.x + g.w <= to.x + to.w + 1e-9 && g.depth >= to.depth;
      var from = above ? 0 : (g.x - to.x) / to.w, share = above ? 1 : g.w / to.w, rect = g.children[1], text = g.children[2];
      g.classList.toggle("above", above);
      g.classList.toggle("gone", !above && !inside);
      if (!above && !inside) return;
      rect.setAttribute("x", edge + from * usable);
      rect.setAttribute("width", share * usable);
      text.setAttribute("x", edge + from * usable + 3);
      text.textContent = label(g.name, share * usable);
    });
  }
  function tell(g) {
    if (at) at.classList.remove("at");
    at = g;
    if (g) g.classList.add("at");
    said.textContent = g ? g.full : "";
  }
  function find() {
    var fits = null, sum = 0, until = -1, count = 0;
    try { fits = words ? new RegExp(words, "i") : null; } catch (e) { found.textContent = "not a pattern"; return; }
    boxes.forEach(function (g) {
      var hit = !!fits && g !== boxes[0] && fits.test(g.name);
      g.classList.toggle("found", hit);
      if (hit) g.hit = true; else g.hit = false;
    });
    /* outermost ones only, so that nothing counts twice */
    boxes.filter(function (g) { return g.hit; }).sort(function (a, b) { return a.x - b.x || a.depth - b.depth; }).forEach(function (g) {
      count++;
      if (g.x >= until - 1e-12) { sum += g.w; until = g.x + g.w; }
    });
    search.textContent = typing || words ? "search: " + words + (typing ? "_" : "") : "search ( / )";
    found.textContent = fits ? count + " boxes, " + (100 * sum).toFixed(2) + "%" : "";
  }
  function near(test) {
    var best = null;
    boxes.forEach(function (g) { if (!g.classList.contains("gone") && test(g) && (!best || g.w > best.w)) best = g; });
    if (best) tell(best);
  }
  function move(key) {
    var g = at || zoomed, up = (key === "ArrowUp") !== (data.icicle === "1");
    if (key === "ArrowLeft" || key === "ArrowRight") {
      var side = boxes.filter(function (b) { return b.depth === g.depth && !b.classList.contains("gone"); }).sort(function (a, b) { return a.x - b.x; });
      var next = side[side.indexOf(g) + (key === "ArrowRight" ? 1 : -1)];
      if (next) tell(next);
    } else if (up) near(function (b) { return b.depth === g.depth + 1 && b.x >= g.x - 1e-9 && b.x + b.w <= g.x + g.w + 1e-9; });
    else near(function (b) { return b.depth === g.depth - 1 && b.x <= g.x + 1e-9 && b.x + b.w >= g.x + g.w - 1e-9; });
  }
  document.getElementById("boxes").addEventListener("click", function (e) { var g = e.target.closest("g.gone, #boxes > g"); if (g) zoom(g); });
  document.getElementById("boxes").addEventListener("mouseover", function (e) { var g = e.target.closest("#boxes > g"); if (g) tell(g); });
  document.getElementById("boxes").addEventListener("mouseleave", function () { tell(null); });
  document.getElementById("reset").addEventListener("click", function () { zoom(boxes[0]); });
  search.addEventListener("click", function () { typing = true; find(); svg.focus(); });
  addEventListener("keydown", function (e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (typing) {
      if (e.key === "Enter") typing = false;
      else if (e.key === "Escape") { typing = false; words = ""; }
      else if (e.key === "Backspace") words = words.slice(0, -1);
      else if (e.key.length === 1) words += e.key;
      else return;
      find();
      e.preventDefault();
    } else if (e.key === "/") { typing = true; words = ""; find(); e.preventDefault(); }
    else if (e.key === "Escape") { if (words) { words = ""; find(); } else zoom(boxes[0]); }
    else if (e.key === "Enter" && at) zoom(at);
    else if (/^Arrow/.test(e.key)) { move(e.key); e.preventDefault(); }
  });
})();
