import { assessCurl, assessLookup, assessNetcat, assessSsh, assessTransfer } from '../network.ts'
import { fixed, type ProgramRow } from './row.ts'

/** Programs for the network. */
export const NETWORK: readonly ProgramRow[] = [
  ['curl wget http https xh httpie aria2c', assessCurl],
  ['ssh mosh', assessSsh],
  ['scp rsync sftp ftp lftp', assessTransfer],
  ['nc ncat netcat socat telnet', assessNetcat],
  ['ping dig nslookup host traceroute tracepath whois mtr ss netstat', assessLookup],
  ['ngrok cloudflared localtunnel lt', fixed('high', 'network.tunnel', 'opens this machine to the network')],
  ['mail mailx sendmail mutt msmtp', fixed('high', 'network.mail', 'sends mail')],
  ['nmap masscan tcpdump tshark', fixed('high', 'network.scan', 'scans or listens to the network')],
]
