import { Upload } from "lucide-react";
import type { ReactNode } from "react";
import { DropZone, type DropZoneProps, FileTrigger } from "react-aria-components";
import { Action } from "../../parts/Action";

interface Props {
  label: string;
  choose: string;
  accept: string[];
  onFile: (file: File) => void;
  isDisabled?: boolean;
  main?: boolean;
  children?: ReactNode;
}

/** Takes a file that is dropped or chosen. */
export function Drop({ label, choose, accept, onFile, isDisabled = false, main = false, children }: Props) {
  const drop = async (event: Parameters<NonNullable<DropZoneProps["onDrop"]>>[0]) => {
    for (const item of event.items) {
      if (item.kind === "file") return onFile(await item.getFile());
    }
  };
  return (
    <DropZone onDrop={(event) => void drop(event)} isDisabled={isDisabled} aria-label={label} className="grid justify-items-center gap-3 rounded-xl border border-dashed border-line bg-surface px-4 py-8 text-center data-[drop-target]:border-accent data-[drop-target]:bg-tint">
      <Upload size={24} aria-hidden className="text-muted" />
      <p className="font-bold">{label}</p>
      {children}
      <FileTrigger acceptedFileTypes={accept} onSelect={(files) => files?.[0] && onFile(files[0])}>
        <Action look={main ? "main" : "plain"} isDisabled={isDisabled}>{choose}</Action>
      </FileTrigger>
    </DropZone>
  );
}
