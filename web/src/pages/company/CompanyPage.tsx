import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { app } from "../../data/client";
import { type Company, companyQuery } from "../../data/company";
import { data } from "../../data/queries";
import { Action } from "../../parts/Action";
import { AddressFields, addressOf, addressPaths } from "../../parts/AddressFields";
import { westernNumber } from "../../parts/decimal";
import { Field } from "../../parts/Field";
import { useFocusProblem } from "../../parts/focus";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { Panel } from "../../parts/Panel";
import { Registration, registrationPaths } from "../../parts/Registration";
import { useSession } from "../../parts/session";
import { Buttons } from "../../parts/Sheet";
import { ErrorState, FormError, LoadingPage, useProblems } from "../../parts/states";
import { Toggle } from "../../parts/Toggle";
import { VatNumber } from "../../parts/VatNumber";
import { useWords } from "../../words";
import { Branches } from "./Branches";
import { Logo } from "./Logo";
import { Record } from "./Record";

export default function CompanyPage() {
  const { t } = useWords();
  const { can } = useSession();
  const company = useQuery(companyQuery);
  if (company.isPending) return <LoadingPage back={false} boxes={["h-[36rem] sm:h-[28rem]", "h-[50rem] sm:h-[32rem]", "h-72"]} />;
  if (company.error) return <ErrorState page error={company.error} retry={() => void company.refetch()} />;
  return (
    <Page title={t("company_title")}>
      {can("Admin") ? <CompanyForm key={company.data.uuid} company={company.data} /> : <Record company={company.data} />}
      <Logo company={company.data} />
      <Branches />
    </Page>
  );
}

function CompanyForm({ company }: { company: Company }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [names, setNames] = useState({ name: company.name, name_arabic: company.name_arabic, vat_registration_number: company.vat_registration_number });
  const [registration, setRegistration] = useState(company.additional_seller_id);
  const [address, setAddress] = useState(() => addressOf(company));
  const [settings, setSettings] = useState({ ...company.settings, due_days: String(company.settings.due_days) });
  const [wrongDays, setWrongDays] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      data(
        app.PATCH("/api/company/", {
          body: {
            name: names.name,
            name_arabic: names.name_arabic || null,
            ...(!company.vat_number_fixed && { vat_registration_number: names.vat_registration_number }),
            additional_seller_id: registration,
            ...address,
            settings: { amount_in_words: settings.amount_in_words, iban: settings.iban || null, phone: settings.phone || null, due_days: Number(settings.due_days) },
          },
        }),
      ),
    onSuccess: (saved) => {
      queries.setQueryData(companyQuery.queryKey, saved);
      void queries.invalidateQueries({ queryKey: ["session"] });
      setSettings({ ...saved.settings, due_days: String(saved.settings.due_days) });
      notify(t("saved"));
    },
  });
  const problems = useProblems(save.error, [...registrationPaths, ...addressPaths]);
  useFocusProblem(wrongDays, save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const days = /^\d{1,3}$/.test(settings.due_days) && Number(settings.due_days) <= 365;
    setWrongDays(!days);
    if (days) save.mutate();
  };
  return (
    <Form validationBehavior="aria" onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Panel title={t("company_identity")}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
            <Field label={t("company_name_ar")} value={names.name_arabic} onChange={(name_arabic) => setNames({ ...names, name_arabic })} problem={problems.of("name_arabic")} />
            <Field label={t("company_name")} value={names.name} onChange={(name) => setNames({ ...names, name })} problem={problems.of("name")} isRequired ltr />
          </div>
          <VatNumber value={names.vat_registration_number} onChange={(vat_registration_number) => setNames({ ...names, vat_registration_number })} problem={problems.of("vat_registration_number")} isDisabled={company.vat_number_fixed} {...(company.vat_number_fixed && { help: t("company_vat_fixed") })} />
          <Registration value={registration} onChange={setRegistration} problem={problems.of} />
        </div>
      </Panel>
      <Panel title={t("company_address")}>
        <div className="p-4"><AddressFields value={address} onChange={setAddress} problem={problems.of} /></div>
      </Panel>
      <Panel title={t("company_settings")}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4 sm:grid-cols-2">
          <p className="text-muted sm:col-span-2">{t("company_settings_help")}</p>
          <div className="sm:col-span-2"><Toggle isSelected={settings.amount_in_words} onChange={(amount_in_words) => setSettings({ ...settings, amount_in_words })}>{t("company_words")}</Toggle></div>
          <Field label={t("company_iban")} help={!problems.of("settings.iban") && t("company_iban_help")} value={settings.iban} onChange={(iban) => setSettings({ ...settings, iban })} problem={problems.of("settings.iban")} ltr />
          <Field label={t("company_phone")} value={settings.phone} onChange={(phone) => setSettings({ ...settings, phone })} problem={problems.of("settings.phone")} inputMode="tel" ltr />
          <Field label={t("company_due_days")} help={!wrongDays && t("company_due_days_help")} value={settings.due_days} onChange={(text) => setSettings({ ...settings, due_days: westernNumber(text) })} problem={wrongDays ? t("company_due_days_wrong") : problems.of("settings.due_days")} inputMode="numeric" ltr />
        </div>
      </Panel>
      <FormError>{problems.rest}</FormError>
      <Buttons><Action type="submit" look="main" isDisabled={save.isPending}>{t("save")}</Action></Buttons>
    </Form>
  );
}
