// Scenarios of the Go client: scenarios SERVICE_URL ADMIN_URL PREFIX [BEGINNING_OF_NAMES], or speak SERVICE_URL, see typed.go.
package main

import "os"

// Where transcripts and answers go. The clients print to os.Stdout what they have to say, which is none of it.
var out = os.Stdout

func main() {
	os.Stdout = os.Stderr
	if os.Args[1] == "speak" {
		speak(os.Args[2])
		return
	}
	only := ""
	if len(os.Args) > 4 {
		only = os.Args[4]
	}
	themes := []*theme{producing(), consuming(), places(), partitions(), schemas(), administrating()}
	run(themes, os.Args[1], os.Args[2], os.Args[3], only)
}
