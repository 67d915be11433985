/** A stub of `EventSource` controlled by a test. */
export class Stream extends EventTarget {
  static readonly CLOSED = 2
  static opened: Stream[] = []
  onerror: () => void = () => {}
  readyState = 1
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    Stream.opened.push(this)
  }
  close(): void {
    this.readyState = 2
  }
  say(event: string, data: unknown, lastEventId = ''): void {
    this.dispatchEvent(Object.assign(new Event(event), { data: JSON.stringify(data), lastEventId }))
  }
}
