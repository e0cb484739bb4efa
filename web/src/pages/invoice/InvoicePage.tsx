import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { Link } from "react-aria-components";
import { type Invoice, invoiceQuery } from "../../data/queries";
import { ActionLink } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { Moment } from "../../parts/Moment";
import { Panel } from "../../parts/Panel";
import { PaymentStatus, Status, useKind } from "../../parts/Status";
import { ErrorState, Loading } from "../../parts/states";
import { useWords } from "../../words";

export default function InvoicePage({ id }: { id: string }) {
  const invoice = useQuery(invoiceQuery(id));
  if (invoice.isPending) return <Loading />;
  if (invoice.error) return <ErrorState error={invoice.error} retry={() => void invoice.refetch()} />;
  return <Shown of={invoice.data} />;
}

function Shown({ of }: { of: Invoice }) {
  const { t, pick } = useWords();
  const kind = useKind();
  return (
    <div className="grid gap-6">
      <Link href="/invoices" className="justify-self-start rounded-sm text-muted">{t("back")}</Link>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-xl font-bold"><bdi>{of.ref_num}</bdi></h1>
        <Status of={of} />
        <PaymentStatus of={of.payment_status} />
        {of.invoice_pdf_url && (
          <span className="ms-auto"><ActionLink href={`/v1/api/invoices/${of.uuid}/pdf-a3/`} download look="main"><Download size={16} aria-hidden />{t("download_pdf")}</ActionLink></span>
        )}
      </div>
      <p className="text-muted">{kind(of)} · <bdi>{of.buyer ? pick(of.buyer.buyer_name_arabic, of.buyer.buyer_name) : t("consumer")}</bdi></p>
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_18rem]">
        <Lines of={of} />
        <Timeline of={of} />
      </div>
    </div>
  );
}

function Lines({ of }: { of: Invoice }) {
  const { t } = useWords();
  return (
    <Panel title={t("lines")}>
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={t("lines")}>
        <table className="w-full">
          <thead>
            <tr className="border-b border-line text-xs text-muted">
              <th className="px-4 py-2 text-start font-normal">{t("col_item")}</th>
              <th className="px-4 py-2 text-right font-normal">{t("col_quantity")}</th>
              <th className="px-4 py-2 text-right font-normal">{t("col_price")}</th>
              <th className="px-4 py-2 text-right font-normal">{t("col_vat")}</th>
              <th className="px-4 py-2 text-right font-normal">{t("col_total")}</th>
            </tr>
          </thead>
          <tbody>
            {of.lines.map((line) => (
              <tr key={line.uuid} className="border-b border-line">
                <td className="px-4 py-2"><bdi>{line.item_name}</bdi></td>
                <td className="px-4 py-2 text-right"><Amount of={line.invoiced_quantity} /></td>
                <td className="px-4 py-2 text-right"><Amount of={line.item_net_price} /></td>
                <td className="px-4 py-2 text-right"><Amount of={line.line_vat_amount} /></td>
                <td className="px-4 py-2 text-right font-bold"><Amount of={line.line_total_amount} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <dl className="ms-auto grid max-w-sm grid-cols-[1fr_auto] gap-x-6 gap-y-1 p-4">
        <dt className="text-muted">{t("taxable")}</dt>
        <dd className="text-right"><Amount of={of.invoice_total_amount_without_vat} currency={of.currency} /></dd>
        <dt className="text-muted">{t("vat_amount")}</dt>
        <dd className="text-right"><Amount of={of.invoice_total_vat_amount} currency={of.currency} /></dd>
        <dt className="font-bold">{t("payable")}</dt>
        <dd className="text-right font-bold"><Amount of={of.invoice_payable_amount} currency={of.currency} /></dd>
        <dt className="text-muted">{t("balance")}</dt>
        <dd className="text-right"><Amount of={of.balance} currency={of.currency} /></dd>
      </dl>
    </Panel>
  );
}

function Timeline({ of }: { of: Invoice }) {
  const { t } = useWords();
  return (
    <Panel title={t("timeline")}>
      <ol className="grid gap-3 p-4">
        <li><p className="font-bold">{t("step_issued")}</p><p className="text-xs text-muted"><Moment at={of.created_at} /></p></li>
        {of.authority_response_received_at ? (
          <li><p className="font-bold">{t("step_answered")}</p><p className="text-xs text-muted"><Moment at={of.authority_response_received_at} /></p></li>
        ) : (
          <li className="text-wait">{t("step_waiting")}</li>
        )}
      </ol>
    </Panel>
  );
}
