import type { ReactNode } from "react";

/** A titled part of a page. */
export function Panel({ title, more, children }: { title: string; more?: ReactNode; children: ReactNode }) {
  return (
    <section className="overflow-hidden rounded-xl border border-line bg-surface">
      <div className="flex items-center justify-between border-b border-line px-4 py-3">
        <h2 className="font-bold">{title}</h2>
        {more}
      </div>
      {children}
    </section>
  );
}
