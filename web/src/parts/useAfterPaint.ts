import { startTransition, useEffect, useState } from "react";

/** Returns a value after the browser has painted, so that what is drawn from it does not delay the response to a key or a click. */
export function useAfterPaint<T>(value: T): T {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    // The second frame begins when the first one is painted.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => startTransition(() => setShown(() => value)));
    });
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return shown;
}
