import { useQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { Link, Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { environment } from "../../data/client";
import { type NewKey, type Sample, sampleQuery } from "../../data/settings";
import { Copy } from "../../parts/Copy";
import { today } from "../../parts/days";
import { useSession } from "../../parts/session";
import { ErrorState, Loading } from "../../parts/states";
import { useWords } from "../../words";
import { type Call, languages, program } from "./calls";

const standard = "0100000";
const simplified = "0200000";

/** Returns an invoice that the organisation can issue, or null if it cannot issue one yet. */
function invoice(seller: string, { device, client, reason }: Sample, item: string): object | null {
  if (!device) return null;
  const forBusiness = device.invoice_type !== "0100" && client;
  if (!forBusiness && device.invoice_type === "1000") return null;
  return {
    device: device.device_id,
    seller,
    ...(forBusiness && { buyer: client.uuid }),
    type_code: 388,
    transaction_code: forBusiness ? standard : simplified,
    supply_date: today(),
    supply_end_date: today(),
    currency: "SAR",
    exchange_rate: 1,
    payment_means_type_code: "10",
    ...(reason && { reason_id: reason.uuid }),
    form_lines: [{ item_name: item, item_net_price: "100.00", invoiced_quantity: 1, invoiced_quantity_unit_of_measure: "PCE", vat_category_code: "S", vat_rate: 15 }],
    lines: [],
    document_level_allowances: [],
    notes: [],
  };
}

/** Calls with a new key that work as they are, in several languages. */
export function ReadyCalls({ of }: { of: NewKey }) {
  const { t } = useWords();
  const { organisation } = useSession();
  const sample = useQuery(sampleQuery);
  const where = useSyncExternalStore(environment.subscribe, () => environment.value);
  const once = useMemo(() => crypto.getRandomValues(new Uint32Array(2)).join("-"), []);
  if (sample.isPending) return <Loading />;
  if (sample.error) return <ErrorState error={sample.error} retry={() => void sample.refetch()} />;

  const writes = of.scopes.includes("invoice.create") || (of.scopes.length === 0 && of.role !== "ViewInvoice");
  const body = writes && organisation ? invoice(organisation.uuid, sample.data, t("key_item")) : null;
  const url = `${location.origin}/v1/api/invoices/`;
  const call: Call = body ? { url, key: of.key, body, once: `first-call-${once}` } : { url, key: of.key };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h3 className="font-bold">{t("key_calls")}</h3>
        <p className="text-muted">
          {body ? `${t("key_calls_post")} ${t(where === "production" ? "key_calls_real" : "key_calls_test")}` : t(writes ? "key_calls_no_device" : "key_calls_get")}{" "}
          <Link href="/v1/api/integrations/docs" target="_blank" className="rounded-sm text-accent underline underline-offset-4">{t("key_docs")}</Link>
        </p>
      </div>
      <Tabs className="grid grid-cols-[minmax(0,1fr)]">
        <TabList aria-label={t("key_calls")} className="flex flex-wrap gap-1" dir="ltr">
          {languages.map((language) => (
            <Tab key={language} id={language} className="cursor-default rounded-t-md border border-transparent px-3 py-1.5 text-muted data-[selected]:border-line data-[selected]:border-b-sunken data-[selected]:bg-sunken data-[selected]:font-bold data-[selected]:text-ink">
              {language}
            </Tab>
          ))}
        </TabList>
        {languages.map((language) => (
          <TabPanel key={language} id={language} className="grid grid-cols-[minmax(0,1fr)] gap-2">
            <pre dir="ltr" tabIndex={0} data-call={language} className="max-h-96 overflow-auto rounded-md border border-line bg-sunken p-4 text-start font-mono text-xs">{program(language, call)}</pre>
            <div><Copy text={program(language, call)} /></div>
          </TabPanel>
        ))}
      </Tabs>
    </div>
  );
}
