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
    if (!moved) scrollTo(0, 0);
    before.current = path;
    const look = () => {
      const heading = main.querySelector("h1");
      const title = heading?.textContent ? `${heading.textContent} – ${product}` : product;
      if (document.title !== title) document.title = title;
      if (moved || !heading) return;
      moved = true;
      if (main.contains(document.activeElement) || document.querySelector("[role=dialog]")) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    look();
    const observer = new MutationObserver(look);
    observer.observe(main, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [path, product]);
}
