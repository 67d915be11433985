/** The server no longer knows the session that something was asked in: its client has to begin another. */
export class SessionGone extends Error {
  constructor() {
    super('the server has ended the session; initialize again')
    this.name = 'SessionGone'
  }
}
