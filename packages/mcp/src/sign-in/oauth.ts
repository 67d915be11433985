/** All of signing in that talks to whoever gives tokens. */
export { type BegunSignIn, beginSignIn, type SignInWishes } from './authorization-flow.ts'
export { renewSignIn, revokeSignIn } from './token-refresh.ts'
