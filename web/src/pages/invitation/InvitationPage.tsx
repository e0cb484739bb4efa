import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { useLocation } from "wouter";
import { activeOrganisation, app, signedIn } from "../../data/client";
import { data, sessionQuery } from "../../data/queries";
import { Action, ActionLink } from "../../parts/Action";
import { Card } from "../../parts/Card";
import { Field } from "../../parts/Field";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { FormError, Loading, useFailureText, useProblems } from "../../parts/states";
import { useToken } from "../../parts/token";
import { useWords } from "../../words";

/** Accepts an invitation with a new account, or with that of the invited address. */
export default function InvitationPage() {
  const { t, pick } = useWords();
  const text = useFailureText();
  const [token, forget] = useToken("invitation");
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => data(app.POST("/api/invitations/read/", { body: { token }, signal })),
    enabled: token !== "",
    staleTime: Infinity,
  });
  const session = useQuery({ ...sessionQuery, enabled: signedIn.get(), retry: false });
  if (!token) return <Card title={t("join_no_link_title")} lead={t("join_no_link_text")}><ActionLink href="/login">{t("sign_in")}</ActionLink></Card>;
  if (invitation.isPending || (signedIn.get() && session.isPending)) return <Loading />;
  if (invitation.error) {
    return (
      <Card title={t("join_bad_link_title")} lead={text(invitation.error)}>
        <ActionLink href="/login">{t("sign_in")}</ActionLink>
      </Card>
    );
  }
  const { organisation, organisation_arabic, email, role, has_account, expires_at } = invitation.data;
  const name = pick(organisation_arabic, organisation);
  const here = session.data?.person.email;
  return (
    <Card title={<>{t("join_title")} <bdi>{name}</bdi></>} lead={t("join_lead", { email, role: t(`team_role_${role}`) })}>
      {!has_account ? (
        <NewAccount token={token} email={email} onAccepted={forget} />
      ) : here?.toLowerCase() === email.toLowerCase() ? (
        <Join token={token} name={name} onJoined={forget} />
      ) : (
        <>
          <p>{here ? t("join_other_account", { email: here }) : t("join_sign_in")}</p>
          <ActionLink href="/login?to=/invitation" look="main">{t(here ? "join_sign_in_other" : "sign_in")}</ActionLink>
        </>
      )}
      <p className="text-xs text-muted">{t("join_expires")} <Moment at={expires_at} />.</p>
    </Card>
  );
}

function NewAccount({ token, email, onAccepted }: { token: string; email: string; onAccepted: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const accept = useMutation({
    mutationFn: () => data(app.POST("/api/invitations/accept/", { body: { token, name: name.trim() || null, password } })),
    onSuccess: async () => {
      signedIn.set();
      queries.clear();
      await queries.prefetchQuery(sessionQuery);
      onAccepted();
      navigate("/", { replace: true });
    },
  });
  const problems = useProblems(accept.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate();
  };
  return (
    <Form validationBehavior="aria" onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p>{t("join_new_account")}</p>
      <Field label={t("email")} name="email" type="email" autoComplete="username" value={email} isReadOnly ltr />
      <Field label={t("setup_name")} name="name" autoComplete="name" value={name} onChange={setName} problem={problems.of("name")} autoFocus />
      <Field label={t("password")} help={!problems.of("password") && t("setup_password_help")} name="password" type="password" autoComplete="new-password" value={password} onChange={setPassword} problem={problems.of("password")} isRequired ltr />
      <FormError>{problems.rest}</FormError>
      <Action type="submit" look="main" isDisabled={accept.isPending}>{t("join_accept")}</Action>
    </Form>
  );
}

function Join({ token, name, onJoined }: { token: string; name: string; onJoined: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const join = useMutation({
    mutationFn: async () => {
      const before = queries.getQueryData(sessionQuery.queryKey)?.organisations ?? [];
      await app.POST("/api/invitations/join/", { body: { token } });
      queries.clear();
      const { organisations } = await queries.fetchQuery(sessionQuery);
      const added = organisations.find((one) => !before.some((other) => other.uuid === one.uuid));
      if (added) activeOrganisation.set(added.uuid);
    },
    onSuccess: () => {
      onJoined();
      notify(t("join_joined", { organisation: name }));
      navigate("/", { replace: true });
    },
  });
  const problems = useProblems(join.error);
  return (
    <>
      <FormError>{problems.rest}</FormError>
      <Action look="main" onPress={() => join.mutate()} isDisabled={join.isPending}>{t("join_accept")}</Action>
    </>
  );
}
