import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-aria-components";

interface Props {
  title: ReactNode;
  /** The list that the page belongs to. */
  back?: { href: string; title: string };
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page: its title, what it counts, and its actions, the main one last. */
export function Page({ title, back, note, actions, children }: Props) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {back && <Back {...back} />}
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-3">
        <h1 className="text-xl font-bold">{title}</h1>
        {note && <div className="text-muted">{note}</div>}
        {actions && <div className="ms-auto flex flex-wrap justify-end gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** The way back to a list, above a title. */
export function Back({ href, title }: { href: string; title: string }) {
  return <Link href={href} data-chrome className="-mb-3 flex items-center gap-1.5 justify-self-start rounded-sm text-sm text-muted hover:text-ink"><ArrowLeft size={14} aria-hidden className="rtl:-scale-x-100" />{title}</Link>;
}
