/** A text whose numbers of documents are broken only where they do not fit on a line. */
export function Whole({ children }: { children: string }) {
  return children.split(/((?:[A-Za-z0-9]+-)+[A-Za-z]*\d[A-Za-z0-9]*)/).map((part, i) => (i % 2 ? <bdi key={i} className="inline-block max-w-full">{part}</bdi> : part));
}
