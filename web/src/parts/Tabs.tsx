import { Link } from "react-aria-components";

/** The pages of one record. */
export function Tabs({ label, tabs, current }: { label: string; tabs: { href: string; title: string }[]; current: string }) {
  return (
    <nav aria-label={label} className="flex gap-6 overflow-x-auto border-b border-line">
      {tabs.map(({ href, title }) => (
        <Link key={href} href={href} aria-current={href === current ? "page" : false} className={`-mb-px border-b-2 py-2 whitespace-nowrap ${href === current ? "border-accent font-bold text-accent" : "border-transparent text-muted hover:text-ink"}`}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
