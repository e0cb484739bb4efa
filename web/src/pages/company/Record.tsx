import type { ReactNode } from "react";
import type { Company } from "../../data/company";
import { Panel } from "../../parts/Panel";
import { useWords } from "../../words";

/** The record of the company for those who cannot change it. */
export function Record({ company }: { company: Company }) {
  const { t } = useWords();
  const facts: [string, ReactNode][] = [
    [t("company_name_ar"), company.name_arabic],
    [t("company_name"), company.name],
    [t("company_vat"), company.vat_registration_number],
    [t("company_registration"), company.additional_seller_id.value],
    [t("company_address"), [company.building_number, company.street_arabic || company.street, company.district_arabic || company.district, company.city_arabic || company.city, company.postal_code].filter(Boolean).join(" ")],
    [t("company_iban"), company.settings.iban],
    [t("company_phone"), company.settings.phone],
    [t("company_due_days"), company.settings.due_days],
  ];
  return (
    <Panel title={t("company_identity")}>
      <dl className="divide-y divide-line">
        {facts.map(([name, fact]) => (
          <div key={name} className="grid gap-x-4 px-4 py-2.5 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0"><bdi>{fact || "–"}</bdi></dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
