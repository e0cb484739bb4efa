// The page polls itself once a second and replaces the parts that have changed.
// Forms are sent without leaving the page. Without this script everything works
// too, except that the page must be reloaded to show new requests.
"use strict";
(() => {
  const address = document.body.dataset.live;
  if (!address) return;
  const lost = document.getElementById("lost");
  let have = "";
  let busy = false;

  // replace puts the changed parts of a new page into this one, and keeps the
  // focus where it is.
  const replace = (page) => {
    const focus = document.activeElement && document.activeElement.id;
    for (const part of document.querySelectorAll("[data-part]")) {
      const next = page.querySelector(`[data-part="${part.dataset.part}"]`);
      if (next && next.innerHTML !== part.innerHTML) {
        part.replaceChildren(...document.importNode(next, true).childNodes);
      }
    }
    const again = focus && document.getElementById(focus);
    if (again && again !== document.activeElement) again.focus({ preventScroll: true });
  };

  const connected = (yes) => {
    document.getElementById("live").hidden = !yes;
    const words = yes ? "" : lost.dataset.words;
    if (lost.textContent !== words) lost.textContent = words;
  };

  const refresh = async () => {
    if (busy || document.hidden) return;
    busy = true;
    try {
      const answer = await fetch(`${address}&have=${have}`, { cache: "no-store" });
      if (answer.status === 200) {
        replace(new DOMParser().parseFromString(await answer.text(), "text/html"));
        have = answer.headers.get("X-Version");
      }
      connected(answer.ok);
    } catch {
      connected(false);
    } finally {
      busy = false;
    }
  };

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    event.preventDefault();
    try {
      await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, event.submitter)) });
    } catch {
      connected(false);
    }
    refresh();
  });

  // The description of the chosen fault.
  const fault = document.getElementById("fault");
  const describe = () => {
    const list = document.querySelector(".options");
    list.hidden = false;
    for (const row of list.children) row.hidden = row.dataset.fault !== fault.value;
  };
  fault.addEventListener("change", describe);
  describe();

  document.addEventListener("visibilitychange", refresh);
  setInterval(refresh, 1000);
  refresh();
})();
