/** Functions to be called when something changes. */
export function newListeners() {
  const all = new Set<() => void>();
  return {
    call: () => all.forEach((listener) => listener()),
    /** Adds a listener, and returns a function that removes it. */
    subscribe(listener: () => void) {
      all.add(listener);
      return () => void all.delete(listener);
    },
  };
}
