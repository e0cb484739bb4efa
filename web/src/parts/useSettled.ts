import { useEffect, useState } from "react";

/** Returns a value once it has not changed for a moment, so that not every key asks the server. */
export function useSettled<T>(value: T, milliseconds = 150): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
