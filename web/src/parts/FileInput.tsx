import { FileSpreadsheet } from "lucide-react";
import { Button, DropZone, FileTrigger, Text } from "react-aria-components";
import { useWords } from "../words";

/** A table to upload, chosen or dropped here. */
export function FileInput({ label, value, onChange, problem }: { label: string; value: File | null; onChange: (file: File) => void; problem?: string | undefined }) {
  const { t } = useWords();
  return (
    <div className="grid gap-1">
      <DropZone
        onDrop={(event) => {
          const dropped = event.items.find((item) => item.kind === "file");
          if (dropped?.kind === "file") void dropped.getFile().then(onChange);
        }}
        className={`grid justify-items-center gap-3 rounded-md border border-dashed px-4 py-6 text-center data-[drop-target]:border-accent data-[drop-target]:bg-tint ${problem ? "border-bad" : "border-line"}`}
      >
        <FileSpreadsheet size={24} aria-hidden className="text-muted" />
        <Text slot="label" className="break-all">{value ? <bdi>{value.name}</bdi> : label}</Text>
        <FileTrigger acceptedFileTypes={[".csv", ".xlsx", "text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"]} onSelect={(files) => files?.[0] && onChange(files[0])}>
          <Button className="min-h-9 rounded-md border border-line bg-surface px-4 font-bold hover:bg-sunken">{t(value ? "import_file_other" : "import_file_choose")}</Button>
        </FileTrigger>
      </DropZone>
      {problem && <p role="alert" className="text-xs text-bad">{problem}</p>}
    </div>
  );
}
