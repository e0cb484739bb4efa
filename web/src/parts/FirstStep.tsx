import type { ReactNode } from "react";

/** Says what a new organisation does next. */
export function FirstStep({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border border-line bg-tint p-4">
      <div className="min-w-0">
        <h2 className="font-bold">{title}</h2>
        <p className="text-muted">{children}</p>
      </div>
      {action}
    </section>
  );
}
