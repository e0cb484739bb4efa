import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useSyncExternalStore } from "react";
import { environment } from "../../data/client";
import type { Link } from "../../data/invoices";
import { paymentMeansQuery, unitsQuery, vatCategoriesQuery } from "../../data/lists";
import type { Invoice } from "../../data/queries";
import { Amount } from "../../parts/Amount";
import { QrCode } from "../../parts/QrCode";
import { useWords } from "../../words";
import { paper as ar } from "../../words/ar/paper";
import { paper as en } from "../../words/en/paper";

type Label = keyof typeof ar;

const simplified = "0200000";
const note = (of: Invoice) => of.type_code === 381 || of.type_code === 383;

/** The document with the look of its PDF: Arabic with English beside it, in both languages of the app. */
export function Paper({ of, links }: { of: Invoice; links: Link[] }) {
  const { t } = useWords();
  const title: Label = of.type_code === 388 ? (of.transaction_code === simplified ? "paper_388_simplified" : "paper_388") : `paper_${of.type_code}`;
  return (
    <article aria-label={t("inv_paper")} dir="rtl" lang="ar" data-paper className="@container min-w-0 rounded-xl border border-line bg-surface p-4 break-words sm:p-8">
      <Mark of={of} />
      <header className="flex flex-wrap items-start gap-4">
        <div className="min-w-40 flex-1">
          <p className="text-2xl leading-tight font-bold text-accent">{ar[title]}</p>
          <p lang="en" className="text-muted">{en[title]}</p>
          <p className="pt-3 text-base font-bold"><bdi data-field="ref_num">{of.ref_num}</bdi></p>
        </div>
        {of.qr_code && <div className="w-36 overflow-hidden rounded-md @lg:w-44"><QrCode text={of.qr_code} label={t("paper_qr")} /></div>}
      </header>
      <Facts of={of} links={links} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 border-b border-line py-5 @md:grid-cols-2">
        <Seller of={of} />
        <Buyer of={of} />
      </div>
      <Lines of={of} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 @lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 @lg:order-2"><Totals of={of} /></div>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5"><Terms of={of} /></div>
      </div>
      <Breakdown of={of} />
      <footer className="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line pt-3 text-xs text-muted">
        <span><Both of="paper_counter" inline /> <bdi data-field="counter">{of.counter}</bdi></span>
        <span className="min-w-0 break-all"><Both of="paper_hash" inline /> <bdi dir="ltr">{of.invoice_hash}</bdi></span>
      </footer>
    </article>
  );
}

/** A label in both languages. */
function Both({ of, inline }: { of: Label; inline?: boolean }) {
  return (
    <>
      <span>{ar[of]}</span>
      {inline ? " / " : " "}
      <span lang="en" dir="ltr" className={inline ? "" : "inline-block text-xs font-normal"}>{en[of]}</span>
    </>
  );
}

/** Says what the paper is not, so that a print is never taken for an accepted tax invoice. */
function Mark({ of }: { of: Invoice }) {
  const where = useSyncExternalStore(environment.subscribe, () => environment.value);
  const status = of.authority_response_status;
  const marks: Label[] = [];
  if (where && where !== "production") marks.push("paper_test");
  if (status === "NOT_CLEARED" || status === "NOT_REPORTED") marks.push("paper_rejected");
  else if (of.transaction_code !== simplified && status !== "CLEARED" && status !== "REPORTED") marks.push("paper_uncleared");
  return marks.map((mark) => (
    <p key={mark} className={`mb-4 flex flex-wrap justify-between gap-x-4 rounded-md px-3 py-1.5 text-xs font-bold ${mark === "paper_rejected" ? "bg-bad-tint text-bad" : "bg-wait-tint text-wait"}`}>
      <span>{ar[mark]}</span>
      <span lang="en" dir="ltr">{en[mark]}</span>
    </p>
  ));
}

function Facts({ of, links }: { of: Invoice; links: Link[] }) {
  const originals = links.filter((link) => link.kind === "original");
  return (
    <dl className="mt-5 grid grid-cols-2 gap-x-3 gap-y-3 border-y @sm:gap-x-6 border-line py-4 @lg:grid-cols-3">
      <Fact label="paper_issued" field="issue_date">{of.issue_date} {of.issue_time}</Fact>
      <Fact label="paper_supply" field="supply_date">{of.supply_date}</Fact>
      {of.supply_end_date !== of.supply_date && <Fact label="paper_supply_end" field="supply_end_date">{of.supply_end_date}</Fact>}
      <Fact label="paper_currency" field="currency">{of.currency}</Fact>
      {of.currency !== "SAR" && <Fact label="paper_rate_sar" field="exchange_rate">{of.exchange_rate}</Fact>}
      {of.due_date && <Fact label="paper_due_date" field="due_date">{of.due_date}</Fact>}
      {originals.length > 0 && <Fact label="paper_original" field="original">{originals.map((link) => link.number).join(", ")}</Fact>}
      <div className="col-span-2 min-w-0">
        <dt className="text-muted"><Both of="paper_uuid" /></dt>
        <dd><bdi dir="ltr" className="text-xs break-all">{of.uuid}</bdi></dd>
      </div>
    </dl>
  );
}

function Fact({ label, field, children }: { label: Label; field: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted"><Both of={label} /></dt>
      <dd><bdi dir="ltr" data-field={field} className="font-bold">{children}</bdi></dd>
    </div>
  );
}

interface Address {
  street: string;
  additional_street: string;
  building_number: string;
  plot_identification: string;
  district: string;
  city: string;
  province_state: string;
  postal_code: string;
  country_code: string;
  street_arabic: string;
  additional_street_arabic: string;
  district_arabic: string;
  city_arabic: string;
  province_state_arabic: string;
}

function addressIn(language: "ar" | "en", of: Address): string {
  const arabic = language === "ar";
  const street = [of.building_number, arabic ? of.street_arabic : of.street].filter(Boolean).join(" ");
  const city = [arabic ? of.city_arabic : of.city, of.postal_code].filter(Boolean).join(" ");
  const parts = [street, arabic ? of.additional_street_arabic : of.additional_street, arabic ? of.district_arabic : of.district, city, arabic ? of.province_state_arabic : of.province_state];
  if (of.country_code !== "SA") parts.push(of.country_code);
  return parts.filter(Boolean).join(arabic ? "، " : ", ");
}

interface Identity {
  type_id: string;
  value: string;
}

const identities = ["CRN", "700", "TIN", "NAT", "IQA", "PAS", "GCC", "MOM", "MLS", "SAG", "OTH"] as const;

function identityWord(type: string): Label {
  const known = identities.find((id) => id === type);
  return `paper_id_${known ?? "OTH"}`;
}

function PartyOf({ title, arabic, english, vat, ids, address }: { title: Label; arabic: string; english: string; vat: string; ids: Identity[]; address: Address }) {
  const latin = addressIn("en", address);
  return (
    <section className="min-w-0">
      <h3 className="pb-1 text-xs text-muted"><Both of={title} /></h3>
      <p className="font-bold"><bdi>{arabic || english}</bdi></p>
      {arabic && english !== arabic && <p className="text-muted"><bdi>{english}</bdi></p>}
      {(address.street_arabic || address.city_arabic) && <p className="pt-1">{addressIn("ar", address)}</p>}
      {latin && <p lang="en" dir="ltr" className="pt-1 text-right text-xs text-muted">{latin}</p>}
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-0.5 pt-2">
        {vat && <div className="flex flex-wrap gap-x-2"><dt className="text-muted"><Both of="paper_vat_number" /></dt><dd><bdi>{vat}</bdi></dd></div>}
        {ids.filter((id) => id.value).map((id) => <div key={id.type_id} className="flex flex-wrap gap-x-2"><dt className="text-muted"><Both of={identityWord(id.type_id)} /></dt><dd><bdi>{id.value}</bdi></dd></div>)}
      </dl>
    </section>
  );
}

function Seller({ of }: { of: Invoice }) {
  const { seller } = of;
  return <PartyOf title="paper_seller" arabic={seller.name_arabic} english={seller.name} vat={seller.vat_registration_number} ids={[seller.additional_seller_id]} address={seller} />;
}

function Buyer({ of }: { of: Invoice }) {
  const { buyer } = of;
  if (!buyer) {
    return (
      <section>
        <h3 className="pb-1 text-xs text-muted"><Both of="paper_buyer" /></h3>
        <p className="font-bold"><Both of="paper_consumer" /></p>
      </section>
    );
  }
  return <PartyOf title="paper_buyer" arabic={buyer.buyer_name_arabic} english={buyer.buyer_name} vat={buyer.vat_registration_number} ids={buyer.additional_buyer_id} address={buyer} />;
}

/** Returns the Arabic text of a code, or the code until the list is there. */
function labelOf(list: { code: string | number; description_ar: string }[] | undefined, code: string): string {
  return list?.find((entry) => String(entry.code) === code)?.description_ar ?? code;
}

const headed = "px-2 py-2 text-xs font-bold";

function Lines({ of }: { of: Invoice }) {
  const { t } = useWords();
  const units = useQuery(unitsQuery).data;
  const unit = (code: string) => labelOf(units, code);
  return (
    <>
      <div className="mt-5 hidden overflow-x-auto @xl:block" tabIndex={0} role="region" aria-label={t("field_lines")}>
        <table className="w-full">
          <thead>
            <tr className="bg-accent text-on-accent">
              <th scope="col" className={`${headed} rounded-s-md text-start`}><Both of="paper_item" /></th>
              <th scope="col" className={`${headed} text-right`}><Both of="paper_quantity" /></th>
              <th scope="col" className={`${headed} text-right`}><Both of="paper_price" /></th>
              <th scope="col" className={`${headed} text-right`}><Both of="paper_net" /></th>
              <th scope="col" className={`${headed} text-right`}><Both of="paper_vat" /></th>
              <th scope="col" className={`${headed} rounded-e-md text-right`}><Both of="paper_total" /></th>
            </tr>
          </thead>
          <tbody>
            {of.lines.map((line) => (
              <tr key={line.uuid} data-line className="border-b border-line align-top">
                <td className="min-w-28 px-2 py-2"><bdi data-field="item_name">{line.item_name}</bdi></td>
                <td className="px-2 py-2 text-right"><span data-field="invoiced_quantity"><Amount of={line.invoiced_quantity} /></span><div className="text-xs text-muted">{unit(line.invoiced_quantity_unit_of_measure)}</div></td>
                <td className="px-2 py-2 text-right">
                  <span data-field="item_net_price"><Amount of={line.item_net_price} /></span>
                  {line.item_gross_price !== null && <div className="text-xs text-muted">{ar.paper_total} <span data-field="item_gross_price"><Amount of={line.item_gross_price} /></span></div>}
                </td>
                <td className="px-2 py-2 text-right" data-field="line_net_amount"><Amount of={line.line_net_amount} /></td>
                <td className="px-2 py-2 text-right"><span data-field="line_vat_amount"><Amount of={line.line_vat_amount} /></span><div className="text-xs text-muted"><bdi dir="ltr"><span data-field="vat_rate">{line.vat_rate}</span>%</bdi></div></td>
                <td className="px-2 py-2 text-right font-bold" data-field="line_total_amount"><Amount of={line.line_total_amount} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="mt-4 divide-y divide-line border-b border-line @xl:hidden">
        {of.lines.map((line) => (
          <li key={line.uuid} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 py-3">
            <span className="font-bold"><bdi>{line.item_name}</bdi></span>
            <span className="font-bold"><Amount of={line.line_total_amount} /></span>
            <span className="text-muted"><Amount of={line.invoiced_quantity} /> {unit(line.invoiced_quantity_unit_of_measure)} × <Amount of={line.item_net_price} /></span>
            <span className="text-muted">{ar.paper_vat} <bdi dir="ltr">{line.vat_rate}%</bdi></span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Breakdown({ of }: { of: Invoice }) {
  const { t } = useWords();
  const categories = useQuery(vatCategoriesQuery).data;
  return (
    <section className="mt-6 min-w-0">
      <h3 className="pb-2 font-bold text-accent"><Both of="paper_breakdown" /></h3>
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={t("paper_breakdown")}>
        <table className="w-full">
          <thead>
            <tr className="bg-tint text-accent">
              <th scope="col" className={`${headed} text-start`}><Both of="paper_category" /></th>
              <th scope="col" className={`${headed} text-right`}><Both of="paper_rate" /></th>
              <th scope="col" className={`${headed} text-right`}><Both of="paper_taxable" /></th>
              <th scope="col" className={`${headed} text-right`}><Both of="paper_tax" /></th>
            </tr>
          </thead>
          <tbody>
            {of.vat_breakdown.map((row, i) => (
              <tr key={i} data-vat className="border-b border-line align-top">
                <td className="px-2 py-2">
                  {labelOf(categories, row.vat_category_code)} <bdi>({row.vat_category_code})</bdi>
                  {row.vat_exemption_reason_text && <div className="text-xs text-muted"><bdi>{row.vat_exemption_reason_code}</bdi> <bdi>{row.vat_exemption_reason_text}</bdi></div>}
                </td>
                <td className="px-2 py-2 text-right"><bdi dir="ltr"><span data-field="vat_rate">{row.vat_rate}</span>%</bdi></td>
                <td className="px-2 py-2 text-right" data-field="vat_category_taxable_amount"><Amount of={row.vat_category_taxable_amount} /></td>
                <td className="px-2 py-2 text-right" data-field="vat_category_tax_amount"><Amount of={row.vat_category_tax_amount} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const zero = (amount: string) => /^-?0+(\.0+)?$/.test(amount);

function Totals({ of }: { of: Invoice }) {
  return (
    <dl className="mt-5 grid grid-cols-[minmax(0,1fr)_auto]">
      {!zero(of.invoice_total_document_level_allowance_amount) && (
        <>
          <Total label="paper_lines_total" field="invoice_total_line_net_amount" of={of.invoice_total_line_net_amount} currency={of.currency} />
          {of.document_level_allowances.map((one, i) => (
            <div key={i} data-allowance className="col-span-2 grid grid-cols-subgrid items-baseline gap-4 border-b border-line px-3 py-1.5">
              <dt className="min-w-0 text-muted"><Both of="paper_discount" />{one.reason && <> · <bdi>{one.reason}</bdi></>} <bdi dir="ltr">({one.vat_rate}%)</bdi></dt>
              <dd data-field="allowance_amount" className="text-right"><Amount of={one.allowance_amount} currency={of.currency} /></dd>
            </div>
          ))}
          <Total label="paper_discounts" field="invoice_total_document_level_allowance_amount" of={of.invoice_total_document_level_allowance_amount} currency={of.currency} />
        </>
      )}
      <Total label="paper_without_vat" field="invoice_total_amount_without_vat" of={of.invoice_total_amount_without_vat} currency={of.currency} />
      <Total label="paper_total_vat" field="invoice_total_vat_amount" of={of.invoice_total_vat_amount} currency={of.currency} />
      {of.currency !== "SAR" && <Total label="paper_total_vat_sar" field="invoice_total_vat_amount_sar" of={of.invoice_total_vat_amount_sar} currency="SAR" />}
      <Total label="paper_with_vat" field="invoice_total_amount_with_vat" of={of.invoice_total_amount_with_vat} currency={of.currency} />
      {!zero(of.prepaid_amount) && <Total label="paper_prepaid" field="prepaid_amount" of={of.prepaid_amount} currency={of.currency} />}
      {!zero(of.payable_rounding_amount) && <Total label="paper_rounding" field="payable_rounding_amount" of={of.payable_rounding_amount} currency={of.currency} />}
      <div className="col-span-2 mt-2 flex flex-wrap items-baseline justify-between gap-x-4 rounded-md bg-accent px-3 py-2 text-on-accent">
        <dt className="font-bold"><Both of={note(of) ? "paper_note_total" : "paper_due"} /></dt>
        <dd className="ms-auto text-lg font-bold" data-field="invoice_payable_amount"><Amount of={of.invoice_payable_amount} currency={of.currency} /></dd>
      </div>
    </dl>
  );
}

function Total({ label, field, of, currency }: { label: Label; field: string; of: string; currency: string }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid items-baseline gap-4 border-b border-line px-3 py-1.5">
      <dt className="min-w-0 text-muted"><Both of={label} /></dt>
      <dd data-field={field} className="text-right font-bold"><Amount of={of} currency={currency} /></dd>
    </div>
  );
}

function Terms({ of }: { of: Invoice }) {
  const means = useQuery(paymentMeansQuery).data;
  return (
    <>
      <dl className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-2">
        <div className="flex flex-wrap justify-between gap-x-4"><dt className="text-muted"><Both of="paper_means" /></dt><dd>{labelOf(means, of.payment_means_type_code)}</dd></div>
        {of.payment_terms && <div className="flex flex-wrap justify-between gap-x-4"><dt className="text-muted"><Both of={note(of) ? "paper_reason" : "paper_terms"} /></dt><dd><bdi>{of.payment_terms}</bdi></dd></div>}
      </dl>
      {of.notes.length > 0 && (
        <section>
          <h3 className="pb-1 font-bold text-accent"><Both of="paper_notes" /></h3>
          {of.notes.map((one, i) => <p key={i} lang={one.language_id} dir="auto" className="whitespace-pre-line">{one.note}</p>)}
        </section>
      )}
    </>
  );
}
