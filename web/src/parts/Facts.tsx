import { Fragment, type ReactNode } from "react";

/** What is known of a record, without what is empty. */
export function Facts({ of }: { of: [label: string, value: ReactNode][] }) {
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-3 gap-y-2 sm:gap-x-6">
      {of.map(([label, value]) => value && (
        <Fragment key={label}>
          <dt className="text-muted">{label}</dt>
          <dd className="break-words">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
