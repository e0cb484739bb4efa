import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { download } from "../data/request";
import { useWords } from "../words";
import { Action } from "./Action";
import { popover } from "./popover";
import { FormError, useFailureText } from "./states";

const names = { pdf: "PDF", xlsx: "Excel (XLSX)", csv: "CSV" };
export type Format = keyof typeof names;

/** Downloads what a page shows, in one of several formats. */
export function ExportMenu({ formats = ["pdf", "xlsx", "csv"], path }: { formats?: Format[]; path: (format: Format) => string }) {
  const { t } = useWords();
  const text = useFailureText();
  const get = useMutation({ mutationFn: (format: Format) => download(path(format)) });
  return (
    <div className="grid justify-items-end gap-1">
      <MenuTrigger>
        <Action isDisabled={get.isPending}><Download size={16} aria-hidden />{t("receipt_export")}</Action>
        <Popover className={`${popover} min-w-40`}>
          <Menu aria-label={t("receipt_export")} onAction={(format) => get.mutate(format as Format)} className="p-1 outline-none">
            {formats.map((format) => <MenuItem key={format} id={format} className="cursor-default rounded-md px-3 py-2 outline-none data-[focused]:bg-sunken">{names[format]}</MenuItem>)}
          </Menu>
        </Popover>
      </MenuTrigger>
      {get.error && <FormError>{text(get.error)}</FormError>}
    </div>
  );
}

/** Downloads one file. */
export function DownloadAction({ path, look = "plain", children }: { path: string; look?: "main" | "plain"; children: string }) {
  const text = useFailureText();
  const get = useMutation({ mutationFn: () => download(path) });
  return (
    <>
      <Action look={look} isDisabled={get.isPending} onPress={() => get.mutate()}><Download size={16} aria-hidden />{children}</Action>
      {get.error && <FormError>{text(get.error)}</FormError>}
    </>
  );
}
