import { assessCurl, assessHttpie, assessWget } from '../network/http-clients.ts'
import {
  assessCapture,
  assessLookup,
  assessMail,
  assessNetcat,
  assessScan,
  assessTunnel,
  assessVpn,
} from '../network/network-tools.ts'
import { assessSsh, assessSshAccess, assessTransfer } from '../network/ssh.ts'
import { fixed, type ProgramRow } from './program-row.ts'

/** Programs for the network. */
export const NETWORK: readonly ProgramRow[] = [
  ['curl curlie', assessCurl],
  ['wget wget2', assessWget],
  ['http https xh xhs httpie', assessHttpie],
  ['aria2c axel yt-dlp youtube-dl', fixed('low', 'network.fetch', 'saves what it fetches')],
  ['ssh mosh autossh slogin', assessSsh],
  ['ssh-copy-id sshd', assessSshAccess],
  ['scp rsync sftp ftp lftp', assessTransfer],
  ['nc ncat netcat socat telnet', assessNetcat],
  [
    'ping ping6 dig drill nslookup host traceroute tracepath whois mtr ss netstat arp resolvectl getent dog doggo q fping arping ' +
      'ssh-keyscan tcping speedtest iperf iperf3 nload iftop bmon vnstat gping grpcurl-list ipcalc',
    assessLookup,
  ],
  ['ngrok cloudflared tailscale zrok bore', assessTunnel],
  ['localtunnel lt serveo', fixed('high', 'network.tunnel', 'opens this machine to the network')],
  ['wg wg-quick openvpn openvpn3 warp-cli nordvpn mullvad protonvpn-cli', assessVpn],
  ['mail mailx sendmail mutt msmtp neomutt swaks mailq s-nail', assessMail],
  ['nmap masscan zmap rustscan', assessScan],
  ['tcpdump tshark ngrep dumpcap', assessCapture],
  [
    'nikto sqlmap hydra msfconsole gobuster ffuf hashcat john',
    fixed('high', 'network.attack', 'tries to break into something'),
  ],
  ['ab wrk hey k6 vegeta siege oha bombardier', fixed('medium', 'network.load', 'sends many requests')],
  ['websocat wscat grpcurl', fixed('medium', 'network.session', 'talks to a server')],
]
