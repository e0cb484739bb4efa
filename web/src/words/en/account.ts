import type { account as ar } from "../ar/account";

export const account: Record<keyof typeof ar, string> = {
  sign_in: "Sign in",
  sign_in_lead: "Sign in to your organisation’s account.",
  email: "E-mail address",
  password: "Password",
  second_factor: "Two-step verification code",
  second_factor_help: "Enter the code from your authenticator app, or a recovery code.",
  forgotten: "Forgot your password?",
  forgotten_lead: "Enter your e-mail address and we will send you a link to set a new password.",
  send_link: "Send link",
  link_sent: "If this address has an account, you will receive an e-mail with a link.",
  new_password: "New password",
  new_password_lead: "Choose a new password for your account.",
  save_password: "Save password",
  back_to_sign_in: "Back to sign in",
};
