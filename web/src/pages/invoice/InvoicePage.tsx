import { useQuery } from "@tanstack/react-query";
import { correctionQuery, linksQuery } from "../../data/invoices";
import { type Invoice, invoiceQuery } from "../../data/queries";
import { Back } from "../../parts/Page";
import { lastList } from "../../parts/place";
import { Status, useKind } from "../../parts/Status";
import { ErrorState, LoadingPage } from "../../parts/states";
import { useWords } from "../../words";
import { Actions } from "./Actions";
import { History } from "./History";
import { Linked } from "./Linked";
import { Notes } from "./Notes";
import { Paper } from "./Paper";
import { Payments } from "./Payments";
import { ShareLink } from "./ShareLink";

export default function InvoicePage({ id }: { id: string }) {
  const invoice = useQuery(invoiceQuery(id));
  if (invoice.isPending) return <Waiting />;
  if (invoice.error) return <ErrorState page error={invoice.error} retry={() => void invoice.refetch()} />;
  return <Shown of={invoice.data} />;
}

/** Holds the place of the paper and of what is beside it. */
function Waiting() {
  const box = "rounded-xl border border-line bg-surface";
  return (
    <LoadingPage>
      <div className="grid gap-x-6 gap-y-4 xl:grid-cols-[minmax(0,1fr)_22rem] xl:grid-rows-[auto_1fr]">
        <span className={`${box} h-60 xl:col-start-2`} />
        <span className={`${box} h-[60rem] xl:col-start-1 xl:row-span-2 xl:row-start-1`} />
        <span className={`${box} h-40 xl:col-start-2`} />
      </div>
    </LoadingPage>
  );
}

function Shown({ of }: { of: Invoice }) {
  const { t, pick } = useWords();
  const kind = useKind();
  const correction = useQuery(correctionQuery(of.uuid)).data;
  const links = useQuery(linksQuery(of, correction)).data;
  const status = of.authority_response_status;
  const rejected = status === "NOT_CLEARED" || status === "NOT_REPORTED";
  const waits = of.transaction_code !== "0200000" && status !== "CLEARED" && status !== "REPORTED";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Back href={`/invoices${lastList.get()?.search ?? ""}`} title={t("nav_invoices")} />
      <div data-chrome className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-3">
        <h1 className="text-xl font-bold"><bdi>{of.ref_num}</bdi></h1>
        <Status of={of} />
        <span className="text-muted wrap-anywhere">{kind(of)} · <bdi>{of.buyer ? pick(of.buyer.buyer_name_arabic, of.buyer.buyer_name) : t("consumer")}</bdi></span>
        <Actions of={of} correction={correction} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-4 xl:grid-cols-[minmax(0,1fr)_22rem] xl:grid-rows-[auto_1fr]">
        <div data-chrome className="xl:col-start-2"><History of={of} correction={correction} /></div>
        <div className="min-w-0 xl:col-start-1 xl:row-span-2 xl:row-start-1"><Paper of={of} links={links?.links ?? []} /></div>
        <div data-chrome className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:col-start-2">
          <Payments of={of} rejected={rejected} />
          {links && <Linked links={links.links} capped={links.capped} />}
          {!rejected && <ShareLink of={of} waits={waits} />}
          <Notes id={of.uuid} />
        </div>
      </div>
    </div>
  );
}
