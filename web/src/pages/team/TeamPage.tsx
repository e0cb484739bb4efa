import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { app } from "../../data/client";
import { sessionQuery } from "../../data/queries";
import { type Invitation, invitationsQuery, type Member, membersQuery } from "../../data/settings";
import { Action } from "../../parts/Action";
import { Choice } from "../../parts/Choice";
import { Count, List, useList } from "../../parts/List";
import { Mark } from "../../parts/Mark";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { Quiet } from "../../parts/Quiet";
import { useSession } from "../../parts/session";
import { FormError, useFailureText } from "../../parts/states";
import { Table } from "../../parts/Table";
import { useWords } from "../../words";
import { InviteSheet } from "./InviteSheet";
import { RemoveSheet } from "./RemoveSheet";
import { type Role, roleOf, roles } from "./roles";

export default function TeamPage() {
  const { t } = useWords();
  const { session } = useSession();
  const { cursor, set } = useList();
  const members = useQuery(membersQuery(cursor));
  const [inviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member | null>(null);
  const text = useFailureText();
  const change = useRoleChange();
  const invite = <Action look="main" onPress={() => setInviting(true)}><Plus size={16} aria-hidden />{t("team_invite")}</Action>;
  return (
    <Page title={t("team_title")} note={<Count of={members.data} word="n_members" />} actions={invite}>
      <FormError>{change.error ? text(change.error) : ""}</FormError>
      <List query={members} rows={(d) => d.members} filtered={false} cursor={cursor} onCursor={(next) => set({ cursor: next })} empty={{ title: "", text: "" }}>
        {(d) => (
          <Table
            label={t("team_members")}
            rows={d.members}
            keyOf={(m) => m.uuid}
            columns={[
              {
                title: t("team_col_name"),
                cell: (m) => (
                  <div className="grid min-w-0">
                    <span className="flex flex-wrap items-center gap-2 font-bold">
                      <bdi className="truncate">{m.name || m.email}</bdi>
                      {m.uuid === session.person.uuid && <span className="font-normal text-muted">({t("team_you")})</span>}
                      {m.disabled && <Mark look="off">{t("team_disabled")}</Mark>}
                    </span>
                    <span className="truncate text-xs text-muted"><bdi>{m.email}</bdi></span>
                  </div>
                ),
              },
              { title: t("team_col_role"), cell: (m) => <div className="w-36"><Choice label={t("team_role_of", { name: m.name || m.email })} hideLabel value={m.role} isDisabled={change.isPending} onChange={(id) => id !== m.role && change.mutate({ member: m, role: id as Role, undoing: false })} options={roles.map(({ id, word }) => ({ id, label: t(word) }))} /></div> },
              {
                title: t("team_col_seen"),
                cell: (m) => (
                  <>
                    {m.last_sign_in_at ? <Moment at={m.last_sign_in_at} /> : t("team_never")}
                    <div className="text-xs text-muted">{t(m.second_factor ? "team_factor_on" : "team_factor_off")}</div>
                  </>
                ),
                minor: true,
              },
              { title: <span className="sr-only">{t("team_remove")}</span>, cell: (m) => <span className="flex justify-end"><Quiet label={t("team_remove_named", { name: m.name || m.email })} onPress={() => setRemoving(m)}>{t("team_remove")}</Quiet></span> },
            ]}
          />
        )}
      </List>
      <Invitations />
      {inviting && <InviteSheet onClose={() => setInviting(false)} />}
      {removing && <RemoveSheet of={removing} onClose={() => setRemoving(null)} />}
    </Page>
  );
}

/** Changes a role, and offers to change it back. */
function useRoleChange() {
  const { t } = useWords();
  const queries = useQueryClient();
  const { session } = useSession();
  const change = useMutation({
    mutationFn: ({ member, role }: { member: Member; role: Role; undoing: boolean }) => app.PATCH("/api/members/{person_id}/", { params: { path: { person_id: member.uuid } }, body: { role } }),
    onSuccess: async (_, { member, role, undoing }) => {
      await queries.invalidateQueries({ queryKey: ["members"] });
      const own = member.uuid === session.person.uuid;
      if (own) void queries.invalidateQueries(sessionQuery);
      const said = t("team_role_saved", { name: member.name || member.email, role: t(roleOf(role).word) });
      if (own || undoing) notify(said);
      else notify(said, { label: t("undo"), run: () => change.mutate({ member, role: member.role, undoing: true }) });
    },
  });
  return change;
}

function Invitations() {
  const { t } = useWords();
  const queries = useQueryClient();
  const text = useFailureText();
  const invitations = useQuery(invitationsQuery);
  const revoke = useMutation({
    mutationFn: (of: Invitation) => app.DELETE("/api/invitations/{invitation_id}/", { params: { path: { invitation_id: of.uuid } } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["invitations"] });
      notify(t("team_revoked"));
    },
  });
  if (!invitations.error && !invitations.data?.invitations.length) return null;
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="font-bold">{t("team_invitations")}</h2>
      <FormError>{revoke.error ? text(revoke.error) : ""}</FormError>
      <List query={invitations} rows={(d) => d.invitations} filtered={false} cursor="" onCursor={() => undefined} empty={{ title: "", text: "" }}>
        {(d) => (
          <Table
            label={t("team_invitations")}
            rows={d.invitations}
            keyOf={(i) => i.uuid}
            columns={[
              { title: t("team_email"), cell: (i) => <bdi className="font-bold">{i.email}</bdi> },
              { title: t("team_col_role"), cell: (i) => t(roleOf(i.role).word) },
              { title: t("team_expires"), cell: (i) => <Moment at={i.expires_at} /> },
              { title: <span className="sr-only">{t("team_revoke")}</span>, cell: (i) => <span className="flex justify-end"><Quiet label={t("team_revoke_named", { email: i.email })} isDisabled={revoke.isPending} onPress={() => revoke.mutate(i)}>{t("team_revoke")}</Quiet></span> },
            ]}
          />
        )}
      </List>
    </section>
  );
}
