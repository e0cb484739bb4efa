import { useQuery } from "@tanstack/react-query";
import { ImagePlus, X } from "lucide-react";
import { useEffect, useMemo } from "react";
import { Button, FileTrigger } from "react-aria-components";
import { pathOf, request } from "../data/request";
import { useWords } from "../words";

function useObjectURL(of: Blob | null | undefined): string | null {
  const url = useMemo(() => (of ? URL.createObjectURL(of) : null), [of]);
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);
  return url;
}

/** A picture of a record. It is fetched, because an image element cannot name the organisation. */
export function Picture({ url, alt }: { url: string; alt: string }) {
  const found = useQuery({ queryKey: ["picture", url], queryFn: async ({ signal }) => (await request(pathOf(url), { signal })).blob(), staleTime: Infinity });
  const shown = useObjectURL(found.data);
  return <div className="grid size-20 place-items-center overflow-hidden rounded-md border border-line bg-surface">{shown && <img src={shown} alt={alt} className="max-h-full max-w-full object-contain" />}</div>;
}

/** Chooses a picture and shows it. */
export function PictureInput({ label, value, onChange, problem }: { label: string; value: File | null; onChange: (file: File | null) => void; problem?: string | undefined }) {
  const { t } = useWords();
  const shown = useObjectURL(value);
  return (
    <div className="grid justify-items-start gap-2" role="group" aria-label={label}>
      <div className="flex items-center gap-3">
        {shown && <div className="grid size-20 place-items-center overflow-hidden rounded-md border border-line"><img src={shown} alt={value?.name ?? ""} className="max-h-full max-w-full object-contain" /></div>}
        <FileTrigger acceptedFileTypes={["image/png", "image/jpeg", "image/webp"]} onSelect={(files) => onChange(files?.[0] ?? null)}>
          <Button className="inline-flex min-h-9 items-center gap-2 rounded-md border border-line bg-surface px-4 hover:bg-sunken"><ImagePlus size={16} aria-hidden />{t("client_picture_choose")}</Button>
        </FileTrigger>
        {value && <Button aria-label={t("delete")} onPress={() => onChange(null)} className="rounded-md p-2 text-muted hover:bg-sunken"><X size={16} aria-hidden /></Button>}
      </div>
      <p className="text-xs text-muted">{t("client_picture_help")}</p>
      {problem && <p role="alert" className="text-xs text-bad">{problem}</p>}
    </div>
  );
}
