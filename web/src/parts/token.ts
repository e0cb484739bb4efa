import { useEffect, useState } from "react";

/** Takes the token out of the address, so that it is not in the history, and keeps it for a reload. */
function take(key: string): string {
  const token = location.hash.slice(1);
  if (!token) return sessionStorage.getItem(key) ?? "";
  sessionStorage.setItem(key, token);
  history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}

/** Returns the token of the link that opened the page, and forgets it when it was used. */
export function useToken(page: string): [string, () => void] {
  const key = `khatm.token.${page}`;
  const [token, setToken] = useState(() => take(key));
  useEffect(() => {
    const changed = () => setToken(take(key));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, [key]);
  const forget = () => {
    sessionStorage.removeItem(key);
    setToken("");
  };
  return [token, forget];
}
