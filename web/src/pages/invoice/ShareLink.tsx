import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Copy, MessageCircle } from "lucide-react";
import { useState } from "react";
import { app } from "../../data/client";
import type { Invoice } from "../../data/queries";
import { Action } from "../../parts/Action";
import { copyText } from "../../parts/Copy";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { Panel } from "../../parts/Panel";
import { Quiet } from "../../parts/Quiet";
import { useSession } from "../../parts/session";
import { Buttons, Sheet } from "../../parts/Sheet";
import { FormError, useFailureText } from "../../parts/states";
import { useWords } from "../../words";

/** The link with which anyone can open the document. */
export function ShareLink({ of, waits }: { of: Invoice; waits: boolean }) {
  const { t } = useWords();
  const { can } = useSession();
  const queries = useQueryClient();
  const text = useFailureText();
  const [asking, setAsking] = useState(false);
  const [until, setUntil] = useState<string | null>(null);
  const path = { params: { path: { invoice_id: of.uuid } } };
  const refresh = () => queries.invalidateQueries({ queryKey: ["invoice", of.uuid], exact: true });
  const create = useMutation({
    mutationFn: () => app.POST("/api/invoices/{invoice_id}/share/", path),
    onSuccess: ({ data }) => {
      setUntil(data?.expires_at ?? null);
      return refresh();
    },
  });
  const revoke = useMutation({
    mutationFn: () => app.DELETE("/api/invoices/{invoice_id}/share/", path),
    onSuccess: () => {
      setAsking(false);
      setUntil(null);
      notify(t("inv_share_revoked"));
      return refresh();
    },
  });
  const link = of.share_link;
  const copy = async () => {
    if (!link) return;
    await copyText(link);
    notify(t("inv_share_copied"));
  };
  return (
    <Panel title={t("inv_share")}>
      <div className="grid gap-3 p-4">
        {link ? (
          <>
            <p className="text-muted">{t(waits ? "inv_share_later" : "inv_share_text")}</p>
            <input readOnly value={link} dir="ltr" aria-label={t("inv_share")} onFocus={(event) => event.target.select()} className="min-h-9 w-full min-w-0 rounded-md border border-line bg-sunken px-3 text-ellipsis" />
            {until && <p className="text-xs text-muted">{t("inv_share_until")} <Moment at={until} time={false} /></p>}
            <div className="flex flex-wrap items-center gap-2">
              <Action onPress={() => void copy()}><Copy size={16} aria-hidden />{t("inv_share_copy")}</Action>
              <a href={`https://wa.me/?text=${encodeURIComponent(link)}`} target="_blank" rel="noreferrer" className="inline-flex min-h-9 items-center gap-2 rounded-md border border-line bg-surface px-4 font-bold hover:bg-sunken"><MessageCircle size={16} aria-hidden />{t("inv_share_whatsapp")}</a>
              {can("CreateInvoice") && <Quiet label={t("inv_share_revoke")} onPress={() => setAsking(true)}>{t("inv_share_revoke")}</Quiet>}
            </div>
          </>
        ) : (
          <>
            <p className="text-muted">{t("inv_share_none")}</p>
            {can("CreateInvoice") && <div><Action onPress={() => create.mutate()} isDisabled={create.isPending}>{t("inv_share_create")}</Action></div>}
          </>
        )}
        <FormError>{create.error ? text(create.error) : ""}</FormError>
      </div>
      <Sheet title={t("inv_share_revoke")} isOpen={asking} onClose={() => setAsking(false)}>
        <p>{t("inv_share_revoke_text")}</p>
        <FormError>{revoke.error ? text(revoke.error) : ""}</FormError>
        <Buttons>
          <Action onPress={() => setAsking(false)}>{t("cancel")}</Action>
          <Action look="main" onPress={() => revoke.mutate()} isDisabled={revoke.isPending}>{t("inv_share_revoke")}</Action>
        </Buttons>
      </Sheet>
    </Panel>
  );
}
