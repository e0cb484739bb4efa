import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ImagePlus } from "lucide-react";
import { Button, FileTrigger } from "react-aria-components";
import { readPicture } from "../data/pictures";
import { useWords } from "../words";
import { Action } from "./Action";
import { notify } from "./notify";
import { Picture } from "./Picture";
import { FormError, useProblems } from "./states";

interface Props<T> {
  label: string;
  urls: string[];
  /** Replaces all pictures. */
  set: (files: File[]) => Promise<T>;
  remove: () => Promise<T>;
  onChanged: (record: T) => void;
  several?: boolean;
}

/** The pictures of a record, which can be replaced and removed. */
export function Pictures<T>({ label, urls, set, remove, onChanged, several = false }: Props<T>) {
  const { t } = useWords();
  const queries = useQueryClient();
  const upload = useMutation({
    mutationFn: set,
    onSuccess: (record) => {
      onChanged(record);
      // The address of a replaced picture stays the same.
      void queries.invalidateQueries({ queryKey: ["picture"] });
      notify(t("saved"));
    },
  });
  const removal = useMutation({
    mutationFn: async () => {
      const before = await Promise.all(urls.map(async (url) => new File([await readPicture(url)], "picture"))).catch(() => []);
      return { record: await remove(), before };
    },
    onSuccess: ({ record, before }) => {
      onChanged(record);
      queries.removeQueries({ queryKey: ["picture"] });
      notify(t("picture_removed"), before.length > 0 ? { label: t("undo"), run: () => upload.mutate(before) } : undefined);
    },
  });
  const uploading = useProblems(upload.error);
  const removing = useProblems(removal.error);
  const busy = upload.isPending || removal.isPending;
  return (
    <div role="group" aria-label={label} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center gap-3">
        {urls.map((url) => <Picture key={url} url={url} alt={label} />)}
        <FileTrigger acceptedFileTypes={["image/png", "image/jpeg", "image/webp"]} allowsMultiple={several} onSelect={(files) => files && files.length > 0 && upload.mutate([...files])}>
          <Button isDisabled={busy} className="inline-flex min-h-9 items-center gap-2 rounded-md border border-line bg-surface px-4 hover:bg-sunken disabled:opacity-50"><ImagePlus size={16} aria-hidden />{t(urls.length > 0 ? "picture_replace" : "client_picture_choose")}</Button>
        </FileTrigger>
        {urls.length > 0 && <Action onPress={() => removal.mutate()} isDisabled={busy}>{t("picture_remove")}</Action>}
      </div>
      <p className="text-xs text-muted">{t("client_picture_help")}</p>
      <FormError>{[uploading.rest, removing.rest].filter(Boolean).join("\n")}</FormError>
    </div>
  );
}
