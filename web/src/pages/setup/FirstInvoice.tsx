import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { Form } from "react-aria-components";
import { saveClient } from "../../data/catalogue";
import { v1 } from "../../data/client";
import type { DeviceRow } from "../../data/devices";
import { businessTypesQuery, industriesQuery } from "../../data/lists";
import { data, invoiceQuery } from "../../data/queries";
import type { paths } from "../../data/v1";
import { Action, ActionLink } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { today } from "../../parts/days";
import { isDecimal, westernNumber } from "../../parts/decimal";
import { Field } from "../../parts/Field";
import { useFocusProblem } from "../../parts/focus";
import { randomKey } from "../../parts/random";
import { Buttons } from "../../parts/Sheet";
import { ErrorState, FormError, Loading, useProblems } from "../../parts/states";
import { Status } from "../../parts/Status";
import { VatNumber } from "../../parts/VatNumber";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";
import { Frame, Heading, Sheet } from "./Frame";

type Body = paths["/api/invoices/"]["post"]["requestBody"]["content"]["application/json"];

const emptyClient = { buyer_name: "", vat_registration_number: "", building_number: "", postal_code: "", street: "", district: "", city: "", province_state: "" };

/** A client with one line, issued at once. */
export function FirstInvoice({ device, onIssued }: { device: DeviceRow; onIssued: () => void }) {
  const { t, pick } = useWords();
  const queries = useQueryClient();
  const simplified = device.invoice_type === "0100";
  const buyers = useQuery({ queryKey: ["buyers", "newest"], queryFn: ({ signal }) => data(v1.GET("/api/buyers/", { params: { query: { page_size: 20 } }, signal })), enabled: !simplified });
  const types = useQuery(businessTypesQuery);
  const industries = useQuery(industriesQuery);
  const [client, setClient] = useState(emptyClient);
  const [line, setLine] = useState({ name: "", quantity: "1", price: "" });
  const sent = useRef({ text: "", key: "" });
  const known = buyers.data?.buyers.find((one) => one.vat_registration_number);

  const issue = useMutation({
    mutationFn: async () => {
      let buyer = simplified ? null : (known?.uuid ?? null);
      if (!simplified && !buyer) {
        const business = (types.data ?? (await queries.fetchQuery(businessTypesQuery))).find((one) => one.code === "1000");
        const industry = (industries.data ?? (await queries.fetchQuery(industriesQuery)))[0];
        const arabic = /\p{Script=Arabic}/u.test(client.buyer_name) ? { buyer_name_arabic: client.buyer_name } : {};
        const created = await saveClient(undefined, { ...client, ...arabic, province_state: client.province_state || client.city, business_type: business?.uuid ?? "", industry: industry?.uuid ?? "" }, null);
        buyer = created.uuid;
        // If the invoice is refused, the client is not created a second time.
        await queries.invalidateQueries({ queryKey: ["buyers"] });
      }
      const date = today();
      const body: Body = {
        device: device.device_id,
        seller: device.seller_id,
        ...(buyer && { buyer }),
        type_code: 388,
        transaction_code: simplified ? "0200000" : "0100000",
        supply_date: date,
        supply_end_date: date,
        currency: "SAR",
        exchange_rate: 1,
        payment_means_type_code: "10",
        notes: [],
        form_lines: [{ item_name: line.name.trim(), item_net_price: line.price, invoiced_quantity: line.quantity, invoiced_quantity_unit_of_measure: "PCE", vat_category_code: "S", vat_rate: 15 }],
        lines: [],
        document_level_allowances: [],
      };
      // A request whose answer was lost is repeated with its key, so that one invoice is issued.
      const text = JSON.stringify(body);
      if (sent.current.text !== text) sent.current = { text, key: randomKey() };
      return data(v1.POST("/api/invoices/", { params: { header: { "Idempotency-Key": sent.current.key } }, body }));
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["invoices"] });
      onIssued();
    },
  });
  const problems = useProblems(issue.error);
  const [checked, setChecked] = useState<Record<string, Word>>({});
  useFocusProblem(checked, issue.error);
  const problem = (path: string) => {
    const word = checked[path];
    return word ? t(word) : problems.of(path);
  };
  const check = () => {
    const found: Record<string, Word> = {};
    if (!simplified && !known) {
      for (const name of ["buyer_name", "street", "district", "city"] as const) if (!client[name].trim()) found[`client_data.${name}`] = "company_required";
      if (client.vat_registration_number.length !== 15) found["client_data.vat_registration_number"] = "company_vat_help";
      if (!/^\d{4}$/.test(client.building_number)) found["client_data.building_number"] = "company_building_help";
      if (!/^\d{5}$/.test(client.postal_code)) found["client_data.postal_code"] = "company_postal_help";
    }
    if ([...line.name.trim()].length < 4) found["form_lines[0].item_name"] = "setup_line_name_help";
    if (!isDecimal(line.quantity)) found["form_lines[0].invoiced_quantity"] = "setup_number_help";
    if (!isDecimal(line.price)) found["form_lines[0].item_net_price"] = "setup_number_help";
    setChecked(found);
    return Object.keys(found).length === 0;
  };
  const set = (name: keyof typeof emptyClient) => (text: string) => setClient({ ...client, [name]: text });
  const number = (name: keyof typeof emptyClient) => (text: string) => setClient({ ...client, [name]: westernNumber(text) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (check()) issue.mutate();
  };
  if (!simplified && buyers.isPending) return <Loading />;
  return (
    <Form validationBehavior="aria" onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {!simplified && (
        <Sheet>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
            <h2 className="font-bold sm:col-span-2">{t("setup_client")}</h2>
            {known ? (
              <p className="sm:col-span-2"><bdi>{pick(known.buyer_name_arabic, known.buyer_name)}</bdi> <bdi className="text-muted">{known.vat_registration_number}</bdi></p>
            ) : (
              <>
                <Field label={t("setup_client_name")} value={client.buyer_name} onChange={set("buyer_name")} problem={problem("client_data.buyer_name")} isRequired />
                <VatNumber label={t("setup_client_vat")} value={client.vat_registration_number} onChange={set("vat_registration_number")} problem={problem("client_data.vat_registration_number")} />
                <Field label={t("company_building")} help={!problem("client_data.building_number") && t("company_building_help")} value={client.building_number} onChange={number("building_number")} problem={problem("client_data.building_number")} inputMode="numeric" isRequired ltr />
                <Field label={t("company_postal")} help={!problem("client_data.postal_code") && t("company_postal_help")} value={client.postal_code} onChange={number("postal_code")} problem={problem("client_data.postal_code")} inputMode="numeric" isRequired ltr />
                <Field label={t("setup_client_street")} value={client.street} onChange={set("street")} problem={problem("client_data.street")} isRequired />
                <Field label={t("setup_client_district")} value={client.district} onChange={set("district")} problem={problem("client_data.district")} isRequired />
                <Field label={t("setup_client_city")} value={client.city} onChange={set("city")} problem={problem("client_data.city")} isRequired />
                <Field label={t("setup_client_province")} value={client.province_state} onChange={set("province_state")} problem={problem("client_data.province_state")} />
              </>
            )}
          </div>
        </Sheet>
      )}
      <Sheet>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
          <h2 className="font-bold sm:col-span-3">{t("setup_line")}</h2>
          <Field label={t("setup_line_name")} value={line.name} onChange={(name) => setLine({ ...line, name })} problem={problem("form_lines[0].item_name")} isRequired />
          <Field label={t("setup_line_quantity")} value={line.quantity} onChange={(text) => setLine({ ...line, quantity: westernNumber(text) })} problem={problem("form_lines[0].invoiced_quantity")} inputMode="decimal" isRequired ltr />
          <Field label={t("setup_line_price")} value={line.price} onChange={(text) => setLine({ ...line, price: westernNumber(text) })} problem={problem("form_lines[0].item_net_price")} inputMode="decimal" isRequired ltr />
          <p className="text-xs text-muted sm:col-span-3">{t("setup_line_vat")}</p>
        </div>
      </Sheet>
      <FormError>{problems.rest}</FormError>
      <Buttons><Action type="submit" look="main" isDisabled={issue.isPending}>{t("setup_issue")}</Action></Buttons>
    </Form>
  );
}

const answered = ["CLEARED", "REPORTED"];

/** The first invoice and what the authority said. */
export function Verdict({ id, onAnother }: { id: string; onAnother: () => void }) {
  const { t } = useWords();
  const invoice = useQuery(invoiceQuery(id));
  if (invoice.isPending) return <Frame step="invoice"><Loading /></Frame>;
  if (invoice.error) return <Frame step="invoice"><ErrorState error={invoice.error} retry={() => void invoice.refetch()} /></Frame>;
  const status = invoice.data.authority_response_status ?? "";
  const good = answered.includes(status);
  const refused = status.startsWith("NOT_");
  return (
    <Frame step={good ? "done" : "invoice"}>
      <Heading title={t(good ? "setup_accepted_title" : refused ? "setup_refused_title" : "setup_waiting_title")}>{t(good ? "setup_accepted_text" : refused ? "setup_refused_text" : "setup_waiting_text")}</Heading>
      <Sheet>
        <div role="status" className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <bdi className="font-bold">{invoice.data.ref_num}</bdi>
          <Status of={invoice.data} />
          <span className="ms-auto font-bold"><Amount of={invoice.data.invoice_total_amount_with_vat} currency={invoice.data.currency} /></span>
        </div>
      </Sheet>
      <div className="flex flex-wrap gap-2">
        <ActionLink href={`/invoices/${id}`} look="main">{t("setup_open_invoice")}</ActionLink>
        <ActionLink href="/keys">{t("setup_connect")}</ActionLink>
        {refused && <Action onPress={onAnother}>{t("setup_another")}</Action>}
        <ActionLink href="/">{t("setup_home")}</ActionLink>
      </div>
    </Frame>
  );
}
