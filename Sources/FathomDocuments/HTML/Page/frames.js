// Rows come from rows.js as data. Every text is set as text, and the addresses of pictures are made of numbers.
(() => {
  "use strict";
  const data = window.fathomFrames;
  const get = (id) => document.getElementById(id);
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }
  if (!data) {
    get("about").textContent = "rows.js is missing: it belongs beside this page.";
    return;
  }
  const page = 60;
  const words = new Intl.Collator("en", { numeric: true });
  const number = (value) => value === null || value === undefined ? "\u2013" : Number(value.toPrecision(3)).toString().replace("-", "\u2212");
  const roles = [...new Set(data.frames.flatMap((frame) => Object.keys(frame.pictures)))];
  const hasConfidence = data.frames.some((frame) => typeof frame.highConfidence === "number");

  function choose(name, options, value) {
    const select = make("select", { name }, ...options.map(([key, text]) => make("option", { value: key }, text)));
    if (value !== undefined) select.value = value;
    return select;
  }
  const scenes = [...new Set(data.frames.map((frame) => frame.scene))];
  const scene = choose("scene", [["", `all ${scenes.length}`], ...scenes.map((name, index) => [String(index), name])]);
  const method = choose("method", data.methods.map((name, index) => [String(index), name]), String(Math.max(0, data.methods.indexOf(data.method))));
  const metric = choose("metric", data.columns.map((column, index) => [String(index), column.title]));
  const order = choose("order", [["worst", "worst first"], ["best", "best first"], ["time", "in the order of time"],
    ...(hasConfidence ? [["confidence", "least confident first"]] : [])]);
  const picture = choose("picture", roles.map((role) => [role, role]), roles.includes("error") ? "error" : roles[0]);
  const least = make("input", { type: "number", min: "0", max: "100", step: "1", name: "least", placeholder: "0" });
  const most = make("input", { type: "number", min: "0", max: "100", step: "1", name: "most", placeholder: "100" });
  const labelled = (text, control) => make("label", {}, text, control);
  get("choice").append(labelled("Scene", scene), labelled("Order", order), labelled("by", metric), labelled("of", method),
    ...(hasConfidence ? [labelled("High confidence from, %", least), labelled("to, %", most)] : []), labelled("Picture", picture));
  get("choice").addEventListener("submit", (event) => event.preventDefault());

  const about = get("about");
  about.append(`Pictures show the maps of ${data.method}; numbers are of every method of the run. `);
  if (data.link) about.append(make("a", { href: data.link }, "The report"), ".");
  for (const scale of data.scales) {
    get("scales").append(make("figure", { "data-roles": scale.roles.join(",") },
      make("picture", {}, make("source", { media: "screen and (prefers-color-scheme: dark)", srcset: scale.darkFile }),
        make("img", { src: scale.file, alt: "" })),
      make("figcaption", {}, `${scale.roles.join(", ")}: ${scale.title}`)));
  }

  const value = (frame) => frame.values[data.methods[Number(method.value)]]?.[Number(metric.value)] ?? null;
  // How bad a value is; a bias is bad by its size.
  function badness(frame) {
    const column = data.columns[Number(metric.value)];
    const found = value(frame);
    if (found === null) return null;
    return column.isSigned ? Math.abs(found) : column.isLowerBetter ? found : -found;
  }
  function within(frame) {
    if (scene.value !== "" && frame.scene !== scenes[Number(scene.value)]) return false;
    if (!hasConfidence || (least.value === "" && most.value === "")) return true;
    const share = frame.highConfidence;
    if (typeof share !== "number") return false;
    return share >= Number(least.value || 0) && share <= Number(most.value || 100);
  }
  function chosen() {
    const frames = data.frames.filter(within);
    if (order.value === "time") return frames;
    const key = order.value === "confidence" ? (frame) => frame.highConfidence ?? null : badness;
    const sign = order.value === "worst" ? -1 : 1;
    return frames.map((frame, index) => ({ frame, index, key: key(frame) })).sort((a, b) => {
      // What has no value comes last; ties keep their order.
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null) || a.index - b.index;
      return sign * (a.key - b.key) || a.index - b.index;
    }).map((entry) => entry.frame);
  }

  let [list, shown] = [[], 0];
  // Why a picture is not there: maps of a method say it themselves, and an error needs a truth.
  const lack = (frame, role) => role === "error" && (frame.pictures.fused || frame.pictures.prediction) && !frame.pictures.truth ? "no truth"
    : ["fused", "prediction", "error"].includes(role) ? frame.reasons[data.method] ?? `no ${role}` : `no ${role}`;
  function card(frame) {
    const button = make("button", { type: "button", class: "card", id: `frame-${frame.number}` });
    const file = frame.pictures[picture.value];
    const title = `${frame.scene}/${frame.frame}`;
    button.append(file ? make("img", { src: file, alt: `${picture.value} of ${title}`, loading: "lazy", decoding: "async" })
      : make("span", { class: "lack" }, lack(frame, picture.value)));
    button.append(make("span", { class: "words" }, make("span", {}, title),
      make("span", { class: "value" }, number(value(frame)),
        ...(hasConfidence ? [make("span", { class: "quiet" }, ` \u00b7 ${number(frame.highConfidence)} % high confidence`)] : []))));
    button.addEventListener("click", () => open(frame));
    return button;
  }
  function more() {
    const next = list.slice(shown, shown + page);
    get("frames").append(...next.map(card));
    shown += next.length;
    get("more").replaceChildren();
    if (shown < list.length) {
      const button = make("button", { type: "button" }, `Show ${Math.min(page, list.length - shown)} more of ${list.length - shown}`);
      button.addEventListener("click", more);
      get("more").append(button);
    }
  }
  function update() {
    [list, shown] = [chosen(), 0];
    get("frames").replaceChildren();
    get("count").textContent = `${list.length} of ${data.frames.length} frames; shown is ${data.columns[Number(metric.value)]?.title ?? ""} of ${data.methods[Number(method.value)]}.`;
    document.querySelectorAll("#scales figure").forEach((figure) => {
      figure.hidden = !figure.dataset.roles.split(",").includes(picture.value);
    });
    more();
  }

  const closer = get("closer");
  function open(frame) {
    const title = `${frame.scene}/${frame.frame}`;
    const place = list.indexOf(frame);
    const turn = (step, text) => {
      const button = make("button", { type: "button" }, text);
      const other = list[place + step];
      button.disabled = place < 0 || !other;
      button.addEventListener("click", () => open(other));
      return button;
    };
    const shut = make("button", { type: "button" }, "Close");
    shut.addEventListener("click", () => closer.close());
    const head = make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "method"),
      ...data.columns.map((column) => make("th", { scope: "col", class: "number" }, column.title))));
    const body = make("tbody", {}, ...data.methods.filter((name) => frame.values[name]).map((name) =>
      make("tr", name === data.method ? { class: "shown" } : {}, make("th", { scope: "row" }, name),
        ...frame.values[name].map((found) => make("td", { class: "number" }, number(found))))));
    const reasons = Object.entries(frame.reasons).sort(([a], [b]) => words.compare(a, b));
    closer.replaceChildren(
      make("header", {}, make("h2", { id: "closer-title" }, title),
        make("span", { class: "turn" }, turn(-1, "Previous"), turn(1, "Next"), shut)),
      make("div", { class: "views" }, ...roles.filter((role) => frame.pictures[role]).map((role) =>
        make("figure", {}, make("img", { src: frame.pictures[role], alt: `${role} of ${title}` }), make("figcaption", {}, role)))),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Numbers of ${title}` }, make("table", {}, head, body)),
      ...reasons.map(([name, reason]) => make("p", {}, `${name}: ${reason}`)),
      ...(frame.command ? [make("p", {}, "In full: ", make("code", {}, frame.command))] : []));
    if (!closer.open) closer.showModal();
    history.replaceState(null, "", `#frame-${frame.number}`);
  }
  closer.addEventListener("close", () => history.replaceState(null, "", location.pathname));

  [scene, order, metric, method, picture].forEach((control) => control.addEventListener("change", update));
  [least, most].forEach((control) => control.addEventListener("input", update));
  function follow() {
    const match = /^#frame-(\d+)$/.exec(location.hash);
    const frame = match && data.frames.find((other) => other.number === Number(match[1]));
    if (frame) open(frame);
  }
  window.addEventListener("hashchange", follow);
  update();
  follow();
})();
