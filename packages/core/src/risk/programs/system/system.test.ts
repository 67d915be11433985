import { describe, expect, it } from 'vitest'
import { rateShell } from '../../fixture.mts'
import { eachIsRated } from '../level-rows.mts'

describe('the machine', () => {
  eachIsRated(
    'none',
    `systemctl --user list-units --type=service
    journalctl -u nginx -n 100 --no-pager
    service nginx status
    crontab -u bob -l
    mount
    fdisk -l /dev/sda
    zpool status
    iptables -nvL
    ip -4 addr show eth0
    ip route get 1.1.1.1
    sysctl -n hw.ncpu
    nmcli dev wifi list
    timedatectl
    date -d yesterday +%F
    date -Iseconds
    ip -br a
    openssl rand -hex 32
    openssl x509 -in ./certs/server.pem -noout -dates
    ssh-keygen -F github.com
    gpg --verify file.sig file
    kill -0 1234
    printenv NODE_ENV
    passwd -S bob
    tmux ls
    sudo -l`,
  )
  eachIsRated(
    'low',
    `sudo systemctl status nginx\nssh-add ~/.ssh/id_ed25519\ntmux new -d -s dev 'npm run dev'\npm2 restart api`,
  )
  eachIsRated(
    'medium',
    `kill $(lsof -ti:3000)
    kill -9 1234
    pkill -f 'node server.js'
    pkill -HUP -f gunicorn
    printenv
    systemctl start nginx
    ssh-add -D
    tmux display-message -p '#S'
    tmux -S ./socket ls
    tmux show-options -g
    screen -S x -Q title
    open https://example.com`,
  )
  eachIsRated(
    'high',
    `systemctl stop nginx
    journalctl --vacuum-time=1s
    crontab -r
    killall -9 postgres
    pkill -u bob
    iptables -F
    ufw disable
    mount /dev/sdb1 /mnt
    usermod -aG sudo bob
    sysctl -w net.ipv4.ip_forward=1
    modprobe nbd
    date -s '2020-01-01'
    ip link set eth0 down
    ssh-keygen -R host
    ssh-keygen -t rsa -f ~/.ssh/id_rsa
    gpg --export-secret-keys
    osascript -e 'do shell script "id"'
    sudo bash
    sudo -k -i
    su -l
    hwclock -wv
    tmux display-message -p '#(id)'
    tmux display -p '#{E:@x}'
    tmux ls -F '#(id)'
    tmux ls -f '#(id)'
    tmux list-panes -a -F'#{pane_id} #(id)'
    tmux set -g status-right '#(id)'
    tmux ls \\; run-shell id
    tmux run-sh id
    tmux showenv -g
    screen -S x -X exec ls
    zellij action dump-screen ls
    kitty @ ls
    wezterm cli list
    history -c`,
  )
  eachIsRated(
    'critical',
    `shutdown -h now
    init 0
    systemctl poweroff
    mkfs.ext4 /dev/sda1
    wipefs -a /dev/sdb
    parted /dev/sda mklabel gpt
    zfs destroy -r tank/a
    kill -9 -1
    pkill .
    tmux new -d 'rm -rf /'`,
  )

  it('names the device, the unit or the process', () => {
    expect(rateShell('mkfs.ext4 /dev/sda1')).toMatchObject({ target: '/dev/sda1', reversible: 'no' })
    expect(rateShell('systemctl stop nginx')).toMatchObject({ target: 'nginx', reversible: 'yes' })
    expect(rateShell('killall -9 postgres').target).toBe('postgres')
  })
})
