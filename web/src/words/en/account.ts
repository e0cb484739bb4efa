import type { account as ar } from "../ar/account";

export const account: Record<keyof typeof ar, string> = {
  sign_in: "Sign in",
  sign_in_lead: "Sign in to the account of your organisation.",
  email: "E-mail address",
  password: "Password",
  second_factor: "Second-factor code",
  second_factor_help: "Enter the code of your authenticator app, or a recovery code.",
  forgotten: "Forgot your password?",
  forgotten_lead: "Enter your e-mail address. We send you a link that sets a new password.",
  send_link: "Send the link",
  link_sent: "If this address has an account, you will get an e-mail with a link.",
  new_password: "New password",
  new_password_lead: "Choose a new password for your account.",
  save_password: "Save the password",
  back_to_sign_in: "Back to sign in",
};
