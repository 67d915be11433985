/** The code that talks to authorization servers; loaded lazily. */
export { type SignInOptions, type StartedSignIn, startSignIn } from './authorization-flow.ts'
export { renewSignIn, revokeSignIn } from './tokens.ts'
