import type { ReactNode } from "react";
import { Button, type ButtonProps, Link } from "react-aria-components";

const looks = {
  main: "bg-accent text-on-accent border-accent hover:opacity-90",
  plain: "bg-surface text-ink border-line hover:bg-sunken",
};

const shape = "inline-flex min-h-9 items-center justify-center gap-2 rounded-md border px-4 font-bold disabled:opacity-50 data-[pending]:opacity-50";

type Props = Omit<ButtonProps, "className" | "children"> & { look?: keyof typeof looks; children: ReactNode };

/** A button. A page has one main action. */
export function Action({ look = "plain", children, ...rest }: Props) {
  return <Button {...rest} className={`${shape} ${looks[look]}`}>{children}</Button>;
}

/** A button of the browser itself. It responds faster than an Action, which only opens menus and dialogs better. */
export function QuickAction({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return <button type="button" onClick={onClick} className={`${shape} ${looks.plain}`}>{children}</button>;
}

/** A link that looks like a button. */
export function ActionLink({ href, look = "plain", children }: { href: string; look?: keyof typeof looks; children: ReactNode }) {
  return <Link href={href} className={`${shape} ${looks[look]}`}>{children}</Link>;
}
