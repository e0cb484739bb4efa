import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useWords } from "../words";

/**
 * Titles the window after the heading of the page, and moves the focus to the heading
 * when another page opens, unless the page has focused something itself.
 */
export function useHeading() {
  const { t } = useWords();
  const [path] = useLocation();
  const product = t("product");
  const before = useRef(path);
  useEffect(() => {
    const main = document.getElementById("content");
    if (!main) return;
    let moved = before.current === path; // nothing moves on the first page
    before.current = path;
    const look = () => {
      // While a page is loading, the one before it is still there, hidden.
      const heading = [...main.querySelectorAll("h1")].find((one) => one.checkVisibility());
      const title = heading?.textContent ? `${heading.textContent} – ${product}` : product;
      if (document.title !== title) document.title = title;
      if (moved || !heading) return;
      moved = true;
      const focused = document.activeElement;
      if ((main.contains(focused) && focused?.checkVisibility()) || document.querySelector("[role=dialog]")) return;
      scrollTo(0, 0);
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    look();
    let frame = 0;
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look); // once for all changes, when styles are computed anyway
    });
    observer.observe(main, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [path, product]);
}
