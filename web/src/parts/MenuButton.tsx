import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { popover } from "./popover";

export interface MenuEntry {
  id: string;
  label: string;
  run: () => void;
}

interface Props {
  label: string;
  icon?: ReactNode;
  entries: MenuEntry[];
  isDisabled?: boolean;
  look?: "main" | "plain";
}

const looks = { main: "border-accent bg-accent text-on-accent hover:opacity-90", plain: "border-line bg-surface text-ink hover:bg-sunken" };

/** A button that opens a menu of actions. */
export function MenuButton({ label, icon, entries, isDisabled = false, look = "plain" }: Props) {
  if (entries.length === 0) return null;
  return (
    <MenuTrigger>
      <Button isDisabled={isDisabled} className={`inline-flex min-h-9 items-center justify-center gap-2 rounded-md border px-4 font-bold disabled:opacity-50 ${looks[look]}`}>
        {icon}
        {label}
        <ChevronDown size={14} aria-hidden />
      </Button>
      <Popover className={popover} placement="bottom end">
        <Menu items={entries} onAction={(key) => entries.find((entry) => entry.id === key)?.run()} className="max-h-96 min-w-56 overflow-auto p-1 outline-none">
          {(entry) => <MenuItem id={entry.id} textValue={entry.label} className="cursor-default rounded-md px-3 py-2 outline-none data-[focused]:bg-sunken">{entry.label}</MenuItem>}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
