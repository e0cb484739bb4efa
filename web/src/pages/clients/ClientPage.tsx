import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { type Client, clientQuery } from "../../data/catalogue";
import { removeClientLogo, setClientLogo } from "../../data/pictures";
import { ClientForm } from "../../parts/ClientForm";
import { useCountries } from "../../parts/countries";
import { Facts } from "../../parts/Facts";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { Picture } from "../../parts/Picture";
import { Pictures } from "../../parts/Pictures";
import { useSession } from "../../parts/session";
import { ErrorState, LoadingPage } from "../../parts/states";
import { Tabs } from "../../parts/Tabs";
import { useWords } from "../../words";
import { Account } from "./Account";

/** A client: its record, or its account. */
export default function ClientPage({ id, part }: { id: string; part: "record" | "account" }) {
  const { t, pick } = useWords();
  const client = useQuery(clientQuery(id));
  if (client.isPending) return <LoadingPage boxes={["h-9 max-w-60", "h-[100rem] max-w-3xl sm:h-[70rem]"]} />;
  if (client.error) return <ErrorState page error={client.error} retry={() => void client.refetch()} />;
  const tabs = [
    { href: `/clients/${id}`, title: t("client_tab_record") },
    { href: `/clients/${id}/statement`, title: t("statement_title") },
  ];
  return (
    <Page back={{ href: "/clients", title: t("nav_clients") }} title={<bdi>{pick(client.data.buyer_name_arabic, client.data.buyer_name)}</bdi>} note={<bdi className="number">{client.data.vat_registration_number}</bdi>}>
      <Tabs label={t("client_title")} tabs={tabs} current={part === "record" ? `/clients/${id}` : `/clients/${id}/statement`} />
      {part === "record" ? <Record of={client.data} /> : <Account of={client.data} />}
    </Page>
  );
}

function Record({ of }: { of: Client }) {
  const { t, pick } = useWords();
  const { can } = useSession();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return (
    <section className="grid max-w-3xl gap-6 rounded-xl border border-line bg-surface p-4 sm:p-6">
      {can("CreateInvoice") ? (
        <Pictures label={t("client_part_picture")} urls={of.logo_url ? [of.logo_url] : []} set={(files) => setClientLogo(of.uuid, files)} remove={() => removeClientLogo(of.uuid)} onChanged={(changed) => queries.setQueryData(clientQuery(of.uuid).queryKey, changed)} />
      ) : (
        of.logo_url && <Picture url={of.logo_url} alt={t("client_part_picture")} />
      )}
      {can("CreateInvoice") ? <ClientForm key={of.uuid} client={of} onSaved={() => notify(t("saved"))} onCancel={() => navigate("/clients")} /> : <ClientFacts of={of} />}
      {can("CreateInvoice") && <p className="text-xs text-muted">{t("client_change_text", { name: pick(of.buyer_name_arabic, of.buyer_name) })}</p>}
    </section>
  );
}

/** The record for people who may not change it. */
function ClientFacts({ of }: { of: Client }) {
  const { t, pick } = useWords();
  const country = useCountries().find((one) => one.id === of.country_code)?.label ?? of.country_code;
  const address = [of.building_number, pick(of.street_arabic, of.street), pick(of.additional_street_arabic, of.additional_street), pick(of.district_arabic, of.district), pick(of.city_arabic, of.city), of.postal_code, pick(of.province_state_arabic, of.province_state), country];
  return (
    <Facts
      of={[
        [t("client_name_arabic"), of.buyer_name_arabic],
        [t("client_name_latin"), of.buyer_name],
        [t("client_vat"), of.vat_registration_number],
        [t("client_part_address"), address.filter(Boolean).join(t("client_separator"))],
        ...of.additional_buyer_id.map((one): [string, string] => [t(`paper_id_${one.type_id}`), one.value]),
        [t("client_contact_name"), of.contact_name],
        [t("client_contact_email"), of.contact_email],
        [t("client_contact_phone"), of.contact_phone && <bdi dir="ltr">{of.contact_phone}</bdi>],
      ]}
    />
  );
}
