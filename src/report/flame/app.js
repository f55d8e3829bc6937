/* Zoom, search and keys for a flame graph; the picture stands without it. Boxes come parents first, so what is inside one follows it directly. */
(function () {
  "use strict";
  var svg = document.documentElement, data = svg.dataset, edge = +data.edge, row = +data.row, head = +data.head, letter = +data.letter;
  var box = svg.viewBox.baseVal, height = box.height, usable = box.width - 2 * edge, drawn = usable, icicle = data.icicle === "1", deepest = +data.depth;
  var space = "http://www.w3.org/2000/svg", holder = document.getElementById("boxes"), said = document.getElementById("said");
  var found = document.getElementById("found"), search = document.getElementById("search"), reset = document.getElementById("reset");
  var bar = document.getElementById("bar"), foot = document.getElementById("foot"), subject = document.getElementById("subject");
  var hint = "click or Enter: zoom   arrows: walk   /: search   i: flip   Esc: back";
  var boxes = Array.prototype.map.call(holder.children, function (g) {
    var rect = g.children[1], y = +rect.getAttribute("y");
    g.box = { g: g, rect: rect, text: g.children[2] || null, x: (+rect.getAttribute("x") - edge) / drawn, w: +rect.getAttribute("width") / drawn,
      depth: Math.round(icicle ? (y - head) / row : deepest - (y - head) / row), mark: g.dataset.mark || "", gone: false, hit: false };
    return g.box;
  });
  var path = [];
  boxes.forEach(function (b, i) {
    b.at = b.last = i;
    b.parent = b.depth ? path[b.depth - 1] : null;
    path[b.depth] = b;
  });
  for (var last = boxes.length - 1; last > 0; last--) boxes[last].parent.last = Math.max(boxes[last].parent.last, boxes[last].last);
  if (!boxes.length) return;
  var zoomed = boxes[0], at = null, words = "", typing = false, hits = [], wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\ud83c-\ud83e]./;

  function percent(share) { var text = (100 * share).toFixed(2); return share > 0 && text === "0.00" ? "<0.01%" : text + "%"; }
  function lines(b) { return b.lines || (b.lines = b.g.children[0].textContent.split("\n")); }
  function cut(text, columns) {
    var all = Array.from(text), used = 0, keep = 0;
    for (var i = 0; i < all.length; i++) {
      used += wide.test(all[i]) ? 2 : 1;
      if (used < columns) keep = i + 1;
      if (used > columns) return all.slice(0, keep).join("") + "\u2026";
    }
    return text;
  }
  /* without namespaces: what stands behind the last :: or backslash that is not in arguments */
  function brief(name) {
    var from = 0, depth = 0;
    for (var i = 0; i + 2 < name.length && !/[([{ ]/.test(name[i]); i++) {
      if (name[i] === "<") depth++;
      if (name[i] === ">" && depth) depth--;
      if (depth) continue;
      if (name[i] === ":" && name[i + 1] === ":") from = i + 2;
      if (name[i] === "\\") from = i + 1;
    }
    return name.slice(from);
  }
  function label(b, pixels) {
    var columns = Math.floor((pixels - 6) / letter), name = lines(b)[0];
    if (columns < 3) return "";
    var mark = b.mark && b.mark.length + 3 <= columns ? b.mark : "", room = columns - mark.length;
    return mark + (cut(name, room) === name ? name : cut(brief(name), room));
  }
  function place(b, from, share) {
    var x = edge + from * usable, pixels = share * usable, y = head + row * (icicle ? b.depth : deepest - b.depth), words = label(b, pixels);
    b.rect.setAttribute("x", x);
    b.rect.setAttribute("width", pixels);
    b.rect.setAttribute("y", y);
    if (words && !b.text) { b.text = document.createElementNS(space, "text"); b.g.appendChild(b.text); }
    if (!b.text) return;
    b.text.setAttribute("x", x + 3);
    b.text.setAttribute("y", y + row - 5);
    b.text.textContent = words;
  }
  function lay() {
    var to = zoomed;
    svg.classList.toggle("zoomed", to !== boxes[0]);
    boxes.forEach(function (b) {
      var above = b.at < to.at && b.last >= to.last, inside = b.at >= to.at && b.at <= to.last;
      b.gone = !above && !inside;
      b.g.classList.toggle("above", above);
      b.g.classList.toggle("gone", b.gone);
      if (above) place(b, 0, 1);
      else if (inside) place(b, (b.x - to.x) / to.w, b.w / to.w);
    });
  }
  function zoom(to) { if (to !== zoomed) { zoomed = to; lay(); } }

  function tell(b) {
    if (at) at.g.classList.remove("at");
    at = b;
    if (b) b.g.classList.add("at");
    var text = !b ? hint : lines(b)[0] + "   " + lines(b)[1] + (b.parent && b.parent.parent ? ", " + percent(b.w / b.parent.w) + " of its caller" : "");
    said.textContent = cut(text, Math.floor(usable / 6.6));
  }
  function find() {
    var matcher = null, sum = 0, until = -1;
    hits = [];
    search.textContent = typing || words ? "search: " + words + (typing ? "_" : "") : "search ( / )";
    try { matcher = words ? new RegExp(words, "i") : null; } catch (e) { found.textContent = "not a pattern"; return; }
    boxes.forEach(function (b, i) {
      var hit = !!matcher && i > 0 && matcher.test(lines(b)[0]);
      if (hit !== b.hit) b.g.classList.toggle("found", b.hit = hit);
      if (!hit) return;
      hits.push(b);
      if (i > until) { sum += b.w; until = b.last; } /* outermost ones only, so that nothing counts twice */
    });
    found.textContent = matcher ? hits.length + (hits.length === 1 ? " box, " : " boxes, ") + percent(sum) + " of total" : "";
    subject.style.visibility = matcher && usable < 700 ? "hidden" : "";
  }
  function step(by) {
    if (!hits.length) return;
    var i = hits.indexOf(at);
    show(hits[i < 0 ? (by > 0 ? 0 : hits.length - 1) : (i + by + hits.length) % hits.length]);
  }
  function show(b) {
    if (!b) return;
    if (b.gone) zoom(boxes[0]);
    tell(b);
    var y = +b.rect.getAttribute("y");
    if (y < scrollY + head || y + 2 * row > scrollY + innerHeight - 26) scrollTo(scrollX, y - innerHeight / 2);
  }
  function walk(key) {
    var b = at || zoomed, up = (key === "ArrowUp") !== icicle, i, best = null;
    if (!at) { show(b); return; }
    if (key === "ArrowLeft" || key === "ArrowRight") {
      var by = key === "ArrowRight" ? 1 : -1;
      for (i = b.at + by; i > 0 && i < boxes.length; i += by) if (!boxes[i].gone && boxes[i].depth === b.depth) { show(boxes[i]); return; }
    } else if (!up) show(b.parent);
    else {
      for (i = b.at + 1; i <= b.last; i++) if (!boxes[i].gone && boxes[i].depth === b.depth + 1 && (!best || boxes[i].w > best.w)) best = boxes[i];
      show(best);
    }
  }
  function back() {
    if (words) { words = ""; find(); }
    else zoom(boxes[0]);
  }
  function type(e) {
    if (e.key === "Enter") typing = false;
    else if (e.key === "Escape") { typing = false; words = ""; }
    else if (e.key === "Backspace") words = words.slice(0, -1);
    else if (e.key.length === 1) words += e.key;
    else return;
    find();
    e.preventDefault();
  }
  function begin() { typing = true; words = ""; find(); }

  /* Title and details stay in sight. */
  function stick() {
    var scale = svg.getScreenCTM ? svg.getScreenCTM().a || 1 : 1, top = Math.max(0, scrollY / scale), end = Math.min(height, (scrollY + innerHeight) / scale);
    bar.setAttribute("transform", "translate(0," + top + ")");
    foot.setAttribute("transform", "translate(0," + (end - 24) + ")");
  }
  function fit() {
    var width = data.fluid === "1" ? Math.max(240, Math.floor(self.visualViewport ? visualViewport.width * visualViewport.scale : innerWidth)) : box.width;
    if (width !== box.width) {
      svg.setAttribute("viewBox", "0 0 " + width + " " + height);
      svg.setAttribute("width", width);
      usable = width - 2 * edge;
      lay();
    }
    var title = bar.querySelector(".head");
    title.textContent = cut(title.dataset.text, Math.floor((usable - 230) / 8));
    tell(at);
    stick();
  }

  holder.addEventListener("click", function (e) { var g = e.target.closest("#boxes > g"); if (g) zoom(g.box); });
  holder.addEventListener("mouseover", function (e) { var g = e.target.closest("#boxes > g"); if (g) tell(g.box); });
  holder.addEventListener("mouseleave", function () { tell(null); });
  reset.addEventListener("click", function () { zoom(boxes[0]); });
  search.addEventListener("click", function () { begin(); svg.focus(); });
  addEventListener("keydown", function (e) {
    var focus = document.activeElement;
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (typing) type(e);
    else if (e.key === "/") { begin(); e.preventDefault(); }
    else if ((e.key === "Enter" || e.key === " ") && focus === search) { begin(); svg.focus(); e.preventDefault(); }
    else if ((e.key === "Enter" || e.key === " ") && focus === reset) { zoom(boxes[0]); e.preventDefault(); }
    else if (e.key === "Escape") back();
    else if (e.key === "0") zoom(boxes[0]);
    else if (e.key === "n") step(1);
    else if (e.key === "N" || e.key === "p") step(-1);
    else if (e.key === "i") { icicle = !icicle; lay(); show(at); }
    else if (e.key === "Enter" && at) zoom(at);
    else if (/^Arrow/.test(e.key)) { walk(e.key); e.preventDefault(); }
  });
  addEventListener("scroll", stick);
  addEventListener("resize", fit);
  svg.setAttribute("role", "group");
  svg.classList.add("alive");
  fit();
  if (!icicle && height > innerHeight) scrollTo(0, height);
})();
