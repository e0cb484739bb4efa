/** The icon of the product, as in public/icon.svg. */
export function ProductIcon({ size }: { size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden>
      <rect width={32} height={32} rx={8} fill="#0e4a52" />
      <path d="M9 16.5l4.6 4.6L23 11.6" fill="none" stroke="#fff" strokeWidth={3} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
