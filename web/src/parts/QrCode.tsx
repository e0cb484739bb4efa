import { useMemo } from "react";
import { encode, pathOf } from "./qr";

/** A text as QR code, black on white in both themes so that every reader sees it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const symbol = useMemo(() => encode(text), [text]);
  if (!symbol) return null;
  const size = symbol.length + 8; // with the quiet zone
  return (
    <svg viewBox={`-4 -4 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges" className="block h-auto w-full">
      <rect x={-4} y={-4} width={size} height={size} fill="#fff" />
      <path d={pathOf(symbol)} fill="#000" />
    </svg>
  );
}
