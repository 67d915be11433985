/** All of signing in that talks to whoever gives tokens. */
export { type BegunSignIn, beginSignIn, type SignInWishes } from './begin-sign-in.ts'
export { renewSignIn, revokeSignIn } from './renew-sign-in.ts'
