import { Button } from "react-aria-components";

/** A small action in a row. The label names the row for those who do not see it. */
export function Quiet({ label, onPress, children, isDisabled = false }: { label: string; onPress: () => void; children: string; isDisabled?: boolean }) {
  return <Button aria-label={label} onPress={onPress} isDisabled={isDisabled} className="rounded-md px-2 py-1 text-accent underline-offset-4 hover:underline disabled:opacity-50">{children}</Button>;
}
