import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, FileTrigger } from "react-aria-components";
import { app } from "../../data/client";
import { type Company, companyQuery } from "../../data/company";
import { data } from "../../data/queries";
import { Action } from "../../parts/Action";
import { notify } from "../../parts/notify";
import { Panel } from "../../parts/Panel";
import { useSession } from "../../parts/session";
import { FormError, useProblems } from "../../parts/states";
import { useWords } from "../../words";

/** The logo on PDF files. */
export function Logo({ company }: { company: Company }) {
  const { t } = useWords();
  const { can } = useSession();
  const queries = useQueryClient();
  const upload = useMutation({
    mutationFn: (file: File) =>
      data(
        app.PUT("/api/company/logo/", {
          body: { file: "" },
          bodySerializer: () => {
            const form = new FormData();
            form.set("file", file);
            return form;
          },
        }),
      ),
    onSuccess: (saved) => {
      queries.setQueryData(companyQuery.queryKey, saved);
      void queries.invalidateQueries({ queryKey: ["logo"] });
      notify(t("company_logo_saved"));
    },
  });
  const remove = useMutation({
    mutationFn: async () => {
      const before = await picture().catch(() => null);
      return { saved: await data(app.DELETE("/api/company/logo/")), before };
    },
    onSuccess: ({ saved, before }) => {
      queries.setQueryData(companyQuery.queryKey, saved);
      notify(t("company_logo_removed"), before ? { label: t("undo"), run: () => upload.mutate(new File([before], "logo")) } : undefined);
    },
  });
  const uploading = useProblems(upload.error);
  const removing = useProblems(remove.error);
  const busy = upload.isPending || remove.isPending;
  return (
    <Panel title={t("company_logo")}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
        {company.logo_url ? <Picture /> : <p className="text-muted">{t("company_logo_none")}</p>}
        <p className="text-xs text-muted">{t("company_logo_help")}</p>
        <FormError>{[uploading.rest, removing.rest].filter(Boolean).join("\n")}</FormError>
        {can("Admin") && (
          <div className="flex flex-wrap gap-2">
            <FileTrigger acceptedFileTypes={["image/png", "image/jpeg", "image/webp"]} onSelect={(files) => files?.[0] && upload.mutate(files[0])}>
              <Button isDisabled={busy} className="inline-flex min-h-9 items-center justify-center gap-2 rounded-md border border-line bg-surface px-4 font-bold hover:bg-sunken disabled:opacity-50"><Upload size={16} aria-hidden />{t(company.logo_url ? "company_logo_replace" : "company_logo_choose")}</Button>
            </FileTrigger>
            {company.logo_url && <Action onPress={() => remove.mutate()} isDisabled={busy}>{t("company_logo_remove")}</Action>}
          </div>
        )}
      </div>
    </Panel>
  );
}

async function picture(signal?: AbortSignal): Promise<Blob> {
  const { data: blob } = await app.GET("/api/company/logo/", { parseAs: "blob", ...(signal && { signal }) });
  return blob as Blob;
}

/** The picture, read with the header that selects an organisation, which an img element cannot send. */
function Picture() {
  const { t } = useWords();
  const logo = useQuery({ queryKey: ["logo"], queryFn: ({ signal }) => picture(signal) });
  const [url, setUrl] = useState("");
  useEffect(() => {
    if (!logo.data) return;
    const made = URL.createObjectURL(logo.data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [logo.data]);
  return <div className="grid h-24 place-items-start">{url && <img src={url} alt={t("company_logo")} className="max-h-24 max-w-full rounded-md border border-line bg-white object-contain p-2" />}</div>;
}
