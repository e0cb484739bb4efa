import type { ReactNode } from "react";

/** A page: its title, what it counts, and its actions, the main one last. */
export function Page({ title, note, actions, children }: { title: ReactNode; note?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <h1 className="text-xl font-bold">{title}</h1>
        {note && <div className="text-muted">{note}</div>}
        {actions && <div className="ms-auto flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
