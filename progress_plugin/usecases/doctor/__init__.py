"""What `doctor` looks at: begin at `usecases.doctor.examination` (`examine`)."""
